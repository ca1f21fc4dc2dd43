#-------------------------------------------------------------------------
#
# 004_instructions.pl
#		Instructions that fixed queries take: the gate for the engine's speed.
#
# Seconds are too noisy for a test.  Here the instructions of our own code
# within index scans are counted by callgrind, in a single-user server, for
# some kinds of queries over the same documents.  They are the same from run
# to run within 1 % (measured; addresses differ), so more than 10 % above what
# was noted means that something became slower; whoever means that to happen,
# or makes it faster, notes the new number.  The numbers are those of one
# compiler; with another one, or without valgrind, the test is skipped.
#
#-------------------------------------------------------------------------
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;

use AbstCluster;

my $compiler = 'gcc 12, x86-64';
my $tolerance = 1.10;

# Thousands of instructions for ten queries of a kind.
my %noted = (
	'one rare word' => 495,
	'one frequent word' => 2976,
	'four words' => 3218,
	'forty words' => 12472,
	'a phrase' => 115300,
	'a tree' => 77597,
	'similar' => 36346);

plan skip_all => 'valgrind is not installed'
  if system('valgrind --version >/dev/null 2>&1') != 0;
my $cc = AbstCluster::pg_config('cc');
plan skip_all => "the numbers are those of $compiler"
  if `$cc -dumpversion; $cc -dumpmachine` !~ /^12(?:\.\S*)?\s+x86_64-/;

my $node = AbstCluster->new('instructions');
$node->init(conf => "autovacuum = off\njit = off\nshared_buffers = 128MB\n");
$node->start;
$node->safe_psql(<<'SQL');
CREATE EXTENSION abstracts;
-- word n is in about 30000 / n documents
CREATE TABLE docs AS
  SELECT i AS id, to_tsvector('simple', string_agg('w' || w, ' ' ORDER BY k)) AS doc
    FROM (SELECT i, k, 1 + (3000 ^ ((hashint8(i * 1000 + k) & 1048575) / 1048576.0))::int AS w
            FROM generate_series(1, 20000) i, generate_series(1, 60) k) s
   GROUP BY i;
CREATE INDEX ON docs USING abstracts (doc) WITH (config = 'pg_catalog.simple');
VACUUM ANALYZE docs;
SQL
$node->stop;

# Ten queries of each kind.
my %queries;
for my $i (1 .. 10)
{
	my $order = sub { "SELECT id FROM docs ORDER BY doc $_[0] '$_[1]' LIMIT 10;" };
	my $words = sub { join ' ', map { 'w' . (1 + ($i * 7919 + $_ * 104729) % 2000) } 1 .. $_[0] };
	my $frequent = 10 + $i;
	push @{ $queries{'one rare word'} }, $order->('<=>', 'w' . (2000 + $i));
	push @{ $queries{'one frequent word'} }, $order->('<=>', "w$frequent");
	push @{ $queries{'four words'} }, $order->('<=>', "w$frequent w2$frequent " . $words->(2));
	push @{ $queries{'forty words'} }, $order->('<=>', "w2 w3 w5 w$frequent " . $words->(36));
	push @{ $queries{'a phrase'} }, $order->('<=>', "\"w$frequent w3\"");
	push @{ $queries{'a tree'} }, $order->('<=>', "+w$frequent w3 -w2$frequent");
	push @{ $queries{'similar'} }, $order->('<~>', "w2 w3 w5 w$frequent " . $words->(36));
}

# Thousands of instructions of our code in index scans.
sub count
{
	my ($kind) = @_;
	my $out = $node->base_dir . '/callgrind.out';
	unlink $out;
	my ($status, undef, $err) = AbstCluster::run_command(
		[
			'valgrind', '--tool=callgrind', "--callgrind-out-file=$out",
			'--toggle-collect=abst_gettuple', AbstCluster::program('postgres'),
			'--single', '-D', $node->data_dir, 'postgres'
		],
		"SET enable_seqscan = off;\n" . join("\n", @{ $queries{$kind} }) . "\n");
	die "valgrind failed: $err" if $status != 0;
	my $sum = 0;
	for (`callgrind_annotate --threshold=100 $out`)
	{
		$sum += $1 =~ tr/,//dr if /^\s*([\d,]+) .*\[\S*\babstracts\.so\]/;
	}
	return int($sum / 1000);
}

for my $kind (sort keys %queries)
{
	my $count = count($kind);
	cmp_ok($count, '<=', $noted{$kind} * $tolerance, "$kind: $count thousand instructions, noted $noted{$kind}");
	cmp_ok($count, '>', 0, "$kind: the index was used");
	diag("$kind: only $count thousand instructions, noted $noted{$kind}: note the new number")
	  if $count < $noted{$kind} / $tolerance;
}
done_testing();
