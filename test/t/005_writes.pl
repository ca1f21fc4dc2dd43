#-------------------------------------------------------------------------
#
# 005_writes.pl
#		What inserts do besides: two sessions insert single rows while a third
#		asks, across many flushes and merges.
#
# The work of one insert is bounded.  Seconds say nothing of that on a busy
# machine, so what is looked at is what inserts report: documents flushed, and
# documents and postings merged.  At the end the index is whole, has few
# segments, and answers as one built anew; also when VACUUM came in between,
# while a merge was paused.
#
#-------------------------------------------------------------------------
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use AbstCluster;

my $rows = 5000;		# of each session
# 32 pages of ten documents; the largest slice, and the most frequent term
my $flush_bound = 32 * 10;
my $slice_bound = 16 * 8192 + 20_000;

my $node = AbstCluster->new('writes');
$node->init(conf => "autovacuum = off\nfsync = off\njit = off\n"
	  . "synchronous_commit = off\nmax_parallel_workers_per_gather = 0\n");
$node->start;
$node->safe_psql(<<'SQL');
CREATE EXTENSION abstracts;
SELECT setseed(0.5);
-- documents of 100 words out of 3,000, some of them frequent
CREATE TABLE stock AS
  SELECT i AS id, to_tsvector('simple',
           string_agg('lexeme' || (3000 * random() ^ 3)::int, ' ')) AS doc
    FROM generate_series(1, 2000) i, generate_series(1, 120) j GROUP BY i;
CREATE UNIQUE INDEX ON stock (id);
ANALYZE stock;
CREATE TABLE papers (id int, doc tsvector);
CREATE INDEX papers_idx ON papers USING abstracts (doc)
  WITH (config = 'pg_catalog.simple');

CREATE PROCEDURE write_rows(first int, rows int) LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN first .. first + rows - 1 LOOP
    INSERT INTO papers SELECT i, doc FROM stock WHERE id = 1 + i % 2000;
    COMMIT;
  END LOOP;
END $$;

-- ids and distances of the best of some queries, by a plan
CREATE FUNCTION answers(by_index bool) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  q text;
  part text;
  result text := '';
BEGIN
  PERFORM set_config('enable_seqscan', (NOT by_index)::text, true),
          set_config('enable_bitmapscan', 'off', true),
          set_config('enable_indexscan', by_index::text, true);
  FOREACH q IN ARRAY ARRAY['lexeme1500', 'lexeme3 lexeme2100 lexeme2900',
                           '+lexeme10 +lexeme50 -lexeme0', '"lexeme0 lexeme1"'] LOOP
    -- ids of equal distances may differ
    EXECUTE format('SELECT string_agg(d || '' '' || n, '','' ORDER BY d) FROM
      (SELECT d, count(*) AS n FROM (SELECT doc <=> %1$L AS d FROM papers
        WHERE doc @~ %1$L ORDER BY doc <=> %1$L LIMIT 60) s GROUP BY d) t', q)
      INTO part;
    result := result || coalesce(part, '-') || E'\n';
  END LOOP;
  RETURN result;
END $$;
SQL

# How many rows match, and which, by index scans in order or by the table.
sub matches_sql
{
	my ($by_index) = @_;
	my ($index, $seq) = $by_index ? ('on', 'off') : ('off', 'on');
	return "SET LOCAL enable_seqscan = $seq; SET LOCAL enable_indexscan = $index;\n"
	  . "SET LOCAL enable_bitmapscan = off;\n"
	  . join('', map { <<"SQL" } 'lexeme1500 lexeme2900', '+lexeme10 +lexeme50', 'lexeme2');
SELECT count(*), sum(id) FROM
  (SELECT id FROM papers WHERE doc \@~ '$_' ORDER BY doc <=> '$_' OFFSET 0) s;
SQL
}

# What inserts have reported since, as pairs (flushed, merged).
my $offset = 0;

sub reports
{
	my @pairs;
	my $text = $node->log_text($offset);
	$offset = $node->log_length;
	while ($text =~ /insert into index "papers_idx" flushed (\d+) documents and merged (\d+) units/g)
	{
		push @pairs, [ $1, $2 ];
	}
	return @pairs;
}

sub bounded
{
	my ($when, @pairs) = @_;
	my ($flushed) = sort { $b <=> $a } map { $_->[0] } @pairs, [0, 0];
	my ($merged) = sort { $b <=> $a } map { $_->[1] } @pairs, [0, 0];
	cmp_ok($flushed, '<=', $flush_bound, "$when: documents flushed by one insert");
	cmp_ok($merged, '<=', $slice_bound, "$when: units merged by one insert");
	return;
}

sub is_whole
{
	my ($when) = @_;
	my ($status, undef, $error) = $node->psql("SELECT abstracts_check('papers_idx', true)");
	is($status, 0, "$when: the index is whole") or diag($error);
	return;
}

sub figure { return $node->safe_psql("SELECT $_[0] FROM abstracts_stats('papers_idx')"); }

#-------------------------------------------------------------------------
# Two sessions write, a third asks
#-------------------------------------------------------------------------

my @writers = map { $node->session('postgres') } 1 .. 2;
$_->query('SET log_min_messages = debug1') for @writers;
$writers[$_]->send("CALL write_rows($_ * $rows, $rows)") for 0, 1;

my $differ = 0;
my $asked = 0;
until ($writers[0]->ready(0) && $writers[1]->ready(0))
{
	# Not distances: the statistics grow from one statement to the next.
	my $said = $node->safe_psql('BEGIN ISOLATION LEVEL REPEATABLE READ;'
		  . matches_sql(1) . "SELECT 'then';" . matches_sql(0));
	my ($index, $seq) = split /\nthen\n/, $said;
	$differ++ if $index ne $seq;
	$asked++;
}
my $said = join('', map { $_->wait } @writers);
unlike($said, qr/ERROR|WARNING/, 'the writers saw no error');
cmp_ok($asked, '>', 0, "the reader asked ($asked times)");
is($differ, 0, 'and index and table had the same matches');

my @done = reports();
cmp_ok(scalar(grep { $_->[0] > 0 } @done), '>=', 20, 'inserts flushed many times');
cmp_ok(scalar(grep { $_->[1] > 0 } @done), '>=', 50, 'and merged in many slices');
bounded('two sessions', @done);
is(figure('documents'), 2 * $rows, 'all rows are there');
cmp_ok(figure('segments'), '<=', 40, 'in few segments (' . figure('segments') . ')');
cmp_ok(figure('pending_pages'), '<=', 64, 'and a short list');
is_whole('two sessions');

my $grown = $node->safe_psql('SELECT answers(true)');
$node->safe_psql('REINDEX INDEX papers_idx');
is($grown, $node->safe_psql('SELECT answers(true)'), 'it answered as a fresh index');

#-------------------------------------------------------------------------
# VACUUM while a merge is paused; an error and a rollback in between
#-------------------------------------------------------------------------

my ($one, $other) = @writers;
my @all;
my $next = 2 * $rows;
for my $round (1 .. 4)
{
	# Until a slice has left a merge to go on with.
	my $begun = 0;
	for (1 .. 60)
	{
		# both, for the other one may have the claim
		for my $writer ($one, $other)
		{
			$writer->query("CALL write_rows($next, 60)");
			$next += 60;
		}
		push @all, my @new = reports();
		last if $begun = grep { $_->[1] > 0 } @new;
	}
	ok($begun, "round $round: a merge was begun");
	$node->safe_psql("DELETE FROM papers WHERE id % 7 = $round");
	$node->safe_psql('VACUUM papers') if $round != 2;
	$one->query("BEGIN; INSERT INTO papers SELECT id, doc FROM stock LIMIT 500; SELECT 1 / 0; ROLLBACK")
	  if $round >= 2;
	$other->query("CALL write_rows($next, 300)");
	$next += 300;
	unlike($one->query("CALL write_rows($next, 1500)"), qr/ERROR|WARNING/,
		"round $round: it was gone on with or given up");
	$next += 1500;
	is_whole("round $round");
}
bounded('with VACUUM', @all, reports());
$_->quit for @writers;

# A backend that ends while its merge is paused leaves nothing behind.
ok($node->poll_until(<<'SQL', 't'), 'no lock is left');
SELECT count(*) = 0 FROM pg_locks
 WHERE locktype = 'object' AND objid = 'papers_idx'::regclass
SQL
$node->safe_psql('VACUUM papers');
$node->safe_psql("SELECT abstracts_merge('papers_idx')");
is_whole('after VACUUM and merge');
$grown = $node->safe_psql('SELECT answers(true)');
is($grown, $node->safe_psql('SELECT answers(false)'), 'index and table agree');
my $size = $node->safe_psql("SELECT pg_relation_size('papers_idx')");
$node->safe_psql('REINDEX INDEX papers_idx');
is($grown, $node->safe_psql('SELECT answers(true)'), 'it answers as a fresh index');
cmp_ok($size, '<=', 1.5 * $node->safe_psql("SELECT pg_relation_size('papers_idx')"),
	'and is not much larger than one');
done_testing();
