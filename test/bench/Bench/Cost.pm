#-------------------------------------------------------------------------
#
# Bench/Cost.pm
#		What a query of ours costs apart from time: buffers, instructions.
#
# Both are the same from run to run on any machine that runs the same code.
#
#-------------------------------------------------------------------------
package Bench::Cost;

use strict;
use warnings;
use Exporter 'import';
use File::Path qw(remove_tree);
use AbstCluster;
use Bench::Tools;

our @EXPORT = qw(buffers_of can_count instructions_of);

# Medians by class of pairs of a class and a number.
sub _medians
{
	my %by;
	push @{ $by{ $_->[0] } }, $_->[1] for @_;
	return { map { $_ => median(@{ $by{$_} }) } keys %by };
}

# Buffers that execution looks at, by class, of pairs of a class and its SQL.
sub buffers_of
{
	my ($node, @statements) = @_;
	# the first is asked once more before: it finds no catalog in the caches
	my @all = map { "EXPLAIN (ANALYZE, BUFFERS, FORMAT json) $_->[1];\n" }
	  $statements[0], @statements;
	my @plans = split /^\]$/m, $node->safe_psql(join '', @all);
	shift @plans;
	return _medians(map {
		my ($hit) = $plans[$_] =~ /"Shared Hit Blocks": (\d+)/;
		my ($read) = $plans[$_] =~ /"Shared Read Blocks": (\d+)/;
		[ $statements[$_][0], $hit + $read ];
	} 0 .. $#statements);
}

sub can_count
{
	return system('valgrind --version >/dev/null 2>&1') == 0;
}

# Thousands of instructions within the index scan, buffers included, by class.
# The server must have been stopped.  All are asked twice in one single-user
# server: first to fill its caches.  callgrind writes a file whenever a scan
# ends, so the files are those of the statements in order.
sub instructions_of
{
	my ($node, @statements) = @_;
	my $folder = $node->base_dir . '/callgrind';
	AbstCluster::run_command([ 'mkdir', $folder ]);
	my $input = join '', map { "$_->[1];\n" } @statements, @statements;
	my ($status, undef, $error) = AbstCluster::run_command(
		[
			'valgrind', '--tool=callgrind', "--callgrind-out-file=$folder/out",
			'--toggle-collect=abst_gettuple', '--toggle-collect=abst_getbitmap',
			'--dump-after=abst_endscan',
			AbstCluster::program('postgres'), '--single', '-D', $node->data_dir,
			'-c', 'enable_seqscan=off', 'postgres'
		],
		$input);
	die "valgrind failed:\n$error" if $status != 0;
	my @counts = map {
		_count_in("$folder/out.$_") // die "statement $_ made no index scan:\n$error"
	} 1 .. 2 * @statements;
	remove_tree($folder);
	return _medians(map { [ $statements[$_][0], $counts[ @statements + $_ ] / 1000 ] } 0 .. $#statements);
}

# Undefined if there is no such file.
sub _count_in
{
	my ($path) = @_;
	my ($count) = slurp($path) =~ /^(?:totals|summary): (\d+)/m;
	return $count;
}

1;
