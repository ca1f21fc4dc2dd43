#-------------------------------------------------------------------------
#
# Bench/Documents.pm
#		A server of its own with made-up documents in a table, and queries
#		drawn from them, for commands that measure abstracts alone.
#
#-------------------------------------------------------------------------
package Bench::Documents;

use strict;
use warnings;
use Exporter 'import';
use AbstCluster;
use Bench::Tools;

our @EXPORT = qw(start_server copy_into load_raw made_up_queries least_ms
  load_average);

my $programs = AbstCluster::top() . '/test/bench';

# A running server with the extension.
sub start_server
{
	my ($name) = @_;
	# without it the server would load what was installed in its own folders
	$ENV{ABST_INSTALL}
	  or die "$0: ABST_INSTALL is not set; "
	  . "first: eval \"\$(test/tmp-cluster env)\"\n";
	system('make', '-s', '-C', $programs) == 0
	  or die "cannot build the programs\n";
	my $node = AbstCluster->new($name);
	$node->init(conf => <<'CONF');
shared_buffers = 1GB
max_wal_size = 8GB
checkpoint_timeout = 1h
autovacuum = off
jit = off
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
fsync = off
CONF
	$node->start;
	$node->safe_psql('CREATE EXTENSION abstracts');
	return $node;
}

# Copy what bench-corpus prints into a table.
sub copy_into
{
	my ($node, $table, @arguments) = @_;
	my %env = $node->env;
	local @ENV{ keys %env } = values %env;
	# psql alone would not see that the first program failed
	open(my $from, '-|', "$programs/bench-corpus", @arguments) or die "$!\n";
	open(my $to, '|-', AbstCluster::program('psql'), '-qX', '-c',
		"COPY $table FROM STDIN")
	  or die "$!\n";
	while (my $line = <$from>) { print $to $line; }
	close $from or die "bench-corpus failed\n";
	close $to or die "cannot fill $table\n";
	return;
}

# Documents 0 to $n - 1 in a new table raw (id, body).
sub load_raw
{
	my ($node, $n) = @_;
	$node->safe_psql('CREATE UNLOGGED TABLE raw (id int, body text)');
	copy_into($node, 'raw', 'docs', $n);
	return;
}

# [class, query] of so many queries a class, drawn from $n documents.
sub made_up_queries
{
	my ($n, $per_class) = @_;
	return map { [ split /\t/ ] }
	  lines_of("$programs/bench-corpus", 'queries', $n, $per_class);
}

# Milliseconds that planning and execution of a statement take, the least of
# three: other work on the machine only adds.  Its plan must be like $wanted.
sub least_ms
{
	my ($session, $statement, $wanted) = @_;
	my $least;
	for (1 .. 3)
	{
		my $out = $session->query("EXPLAIN (ANALYZE, TIMING OFF) $statement");
		die $out unless $out =~ $wanted;
		my ($plan) = $out =~ /Planning Time: ([\d.]+)/;
		my ($run) = $out =~ /Execution Time: ([\d.]+)/;
		$least = $plan + $run if !defined $least || $plan + $run < $least;
	}
	return $least;
}

# Far more than one means that times are those of other work too.
sub load_average
{
	return (split / /, slurp('/proc/loadavg'))[0];
}

1;
