#-------------------------------------------------------------------------
#
# 008_build.pl
#		Builds by several processes: the same index whatever their number.
#
# Every number of workers must give an index that the check accepts, with the
# same figures, and with the same rows and distances for a set of queries.
# The kinds of tables and indexes that want or forbid workers; cancelling;
# a worker that is ended; progress; crashes right after a build.
#
#-------------------------------------------------------------------------
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;

use AbstCluster;

my $node = AbstCluster->new('build');
$node->init(conf => <<'CONF');
autovacuum = off
max_worker_processes = 8
max_parallel_workers = 8
maintenance_work_mem = 64MB
shared_buffers = 64MB
CONF
$node->start;

# Rows of few blocks in a row are without documents, others in HOT chains.
$node->safe_psql(<<'SQL');
CREATE EXTENSION abstracts;
CREATE TABLE docs (id int, n int DEFAULT 0, body text, doc tsvector)
  WITH (fillfactor = 70, parallel_workers = 4);
INSERT INTO docs (id, body)
  SELECT i, CASE WHEN i % 97 = 0 THEN NULL WHEN i % 89 = 0 THEN '' ELSE
         string_agg('w' || (3 + (4000 ^ ((hashint8(i * 1000 + k) & 1048575) / 1048576.0))::int)
                    || CASE WHEN k > 35 THEN 'x' || i % 4999 ELSE '' END, ' ' ORDER BY k) END
    FROM generate_series(1, 4000) i, generate_series(1, 40) k GROUP BY i ORDER BY i;
UPDATE docs SET doc = setweight(to_tsvector('simple', left(body, 60)), 'A') ||
                      setweight(to_tsvector('simple', body), (ARRAY['B', 'D'])[1 + id % 2]::"char");
VACUUM docs;
UPDATE docs SET n = 1 WHERE id % 5 = 0;
DELETE FROM docs WHERE id BETWEEN 2000 AND 2200;
VACUUM ANALYZE docs;
UPDATE docs SET n = 2 WHERE id % 7 = 0;
SQL

my $rows = $node->safe_psql('SELECT count(*) FROM docs');

# Rows and distances of several queries, by the index on a column.
sub answers
{
	my ($column, $where) = @_;
	$where = $where ? "WHERE $where" : '';
	# a phrase is looked for in the rows, which takes long where they are read
	my $phrase = $column eq 'doc' ? '"w4 w6"' : 'w4 w6 w8';
	return $node->safe_psql(<<"SQL");
SET enable_seqscan = off;
SELECT md5(string_agg(s::text, ',' ORDER BY s::text)) FROM (
  SELECT q, id, d FROM unnest(ARRAY['w5', 'w17 w400', 'w3 w9 w30 w100 w1000', '+w12 w77 -w5',
                                    '$phrase', 'w2000x17', 'w5x9 w8']) q,
         LATERAL (SELECT id, $column <=> abstract_query(q, 'idx') AS d
                    FROM docs $where ORDER BY $column <=> abstract_query(q, 'idx'), id LIMIT 100) r) s;
SQL
}

# CREATE INDEX with so many workers allowed: how many were there, and how many
# of them had rows to read.
sub build
{
	my ($workers, $statement) = @_;
	my ($status, undef, $messages) = $node->psql(
		"SET max_parallel_maintenance_workers = $workers;\n"
		  . "SET client_min_messages = debug1;\n$statement");
	is($status, 0, "$statement") or diag($messages);
	my ($launched) = $messages =~ /with (\d+) of \d+ parallel workers/;
	my %read = $messages =~ /participant (\d+) read (\d+) rows/g;
	my $busy = defined $launched
	  ? grep { $_ < $launched && $read{$_} > 0 } keys %read
	  : 0;
	unlike($messages, qr/WARNING/, '... without a warning');
	return (defined $launched ? $launched : 0, $busy);
}

sub figures
{
	return $node->safe_psql(
		'SELECT documents, null_rows, pending_rows, segments, average_length, '
		  . "terms, postings FROM abstracts_stats('idx')");
}

sub check { return $node->safe_psql("SELECT abstracts_check('idx', true)"); }

#-------------------------------------------------------------------------
# Any number of workers; much and little memory
#-------------------------------------------------------------------------

for my $column ('doc', 'body')
{
	my ($figures, $answers);
	for my $case ([ 0, '64MB' ], [ 1, '64MB' ], [ 2, '64MB' ], [ 4, '64MB' ],
		[ 0, '1MB' ], [ 4, '1MB' ])
	{
		my ($workers, $memory) = @$case;
		next if $column eq 'body' && "$workers $memory" !~ /0 64|4 1M/;
		my ($launched, $busy) = build($workers,
			"SET maintenance_work_mem = '$memory'; CREATE INDEX idx ON docs USING abstracts ($column)");
		is($launched, $workers, "$column, $workers workers, $memory: all of them started");
		ok($busy > 0 || $workers == 0, '... and took part');
		cmp_ok(check(), '>=', $rows, '... and the check finds nothing');
		$figures //= figures();
		$answers //= answers($column);
		is(figures(), $figures, '... the same figures');
		is(answers($column), $answers, '... the same rows and distances');
		$node->safe_psql('DROP INDEX idx');
	}
}

#-------------------------------------------------------------------------
# Kinds of indexes
#-------------------------------------------------------------------------

# Build alone, then with workers; both must agree.
sub both_ways
{
	my ($name, $statement, $workers, $column, $where) = @_;
	build(0, $statement);
	my @alone = (check(), figures(), answers($column, $where));
	$node->safe_psql('DROP INDEX idx');
	my ($launched) = build(2, $statement);
	is($launched, $workers, "$name: $workers workers");
	is_deeply([ check(), figures(), answers($column, $where) ], \@alone, "$name: the same index");
	$node->safe_psql('DROP INDEX idx');
	return;
}

both_ways('partial', 'CREATE INDEX idx ON docs USING abstracts (doc) WHERE n > 0', 2, 'doc', 'n > 0');
both_ways('expression', "CREATE INDEX idx ON docs USING abstracts ((lower(body) || ' w5 tail'))",
	2, "(lower(body) || ' w5 tail')");
both_ways('no row', 'CREATE INDEX idx ON docs USING abstracts (doc) WHERE n > 9', 2, 'doc', 'n > 9');
both_ways('concurrently', 'CREATE INDEX CONCURRENTLY idx ON docs USING abstracts (doc)', 2, 'doc');

$node->safe_psql(<<'SQL');
CREATE FUNCTION unsafe(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE
  AS 'BEGIN RETURN $1 % 2 = 0; END';
SQL
both_ways('unsafe predicate', 'CREATE INDEX idx ON docs USING abstracts (doc) WHERE unsafe(id)',
	0, 'doc', 'unsafe(id)');

my ($launched) = build(2, <<'SQL');
CREATE TEMP TABLE t WITH (parallel_workers = 2) AS SELECT * FROM docs LIMIT 3000;
CREATE INDEX t_idx ON t USING abstracts (doc);
SELECT abstracts_check('t_idx', true)
SQL
is($launched, 0, 'no workers for a temporary table');

# A leader that gets no worker builds alone.
$node->safe_psql('ALTER SYSTEM SET max_parallel_workers = 0');
$node->reload;
($launched) = build(2, 'CREATE INDEX idx ON docs USING abstracts (doc)');
is($launched, 0, 'no workers are to be had');
cmp_ok(check(), '>=', $rows, '... and the index is right');
$node->safe_psql('ALTER SYSTEM RESET max_parallel_workers; DROP INDEX idx');
$node->reload;

# Rows that come in while REINDEX CONCURRENTLY is at work.
($launched) = build(2, 'CREATE INDEX idx ON docs USING abstracts (doc)');
my $writer = $node->session;
$writer->send("DO \$\$ BEGIN FOR i IN 1 .. 300 LOOP "
	  . "INSERT INTO docs (id, doc) VALUES (20000 + i, 'w5 w17'); COMMIT; "
	  . "PERFORM pg_sleep(0.001); END LOOP; END \$\$");
($launched) = build(2, 'REINDEX INDEX CONCURRENTLY idx');
is($launched, 2, 'REINDEX CONCURRENTLY with workers');
$writer->wait;
$writer->quit;
cmp_ok(check(), '>=', $rows + 300, '... and with rows that came meanwhile');
$node->safe_psql('DELETE FROM docs WHERE id > 20000; DROP INDEX idx');

#-------------------------------------------------------------------------
# Ends before the end
#-------------------------------------------------------------------------

sub leftovers
{
	return join ' ', $node->safe_psql(
		'SELECT (SELECT count(*) FROM pg_ls_tmpdir()), '
		  . "(SELECT count(*) FROM pg_class WHERE relname LIKE 'idx%')");
}

sub no_workers
{
	return $node->poll_until(
		"SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'parallel worker'", 't');
}

my $cancelled = 0;
for my $ms (10, 30, 60, 100, 150, 220, 300)
{
	my ($status, undef, $error) = $node->psql(<<"SQL");
SET max_parallel_maintenance_workers = 2;
SET statement_timeout = $ms;
CREATE INDEX idx ON docs USING abstracts (doc);
SQL
	if ($status == 0)
	{
		$node->safe_psql('DROP INDEX idx');
		next;
	}
	$cancelled++ if $error =~ /canceling statement due to statement timeout/;
	ok(no_workers(), "cancelled after $ms ms: the workers are gone");
	is(leftovers(), '0|0', '... and nothing is left');
}
ok($cancelled > 0, "$cancelled builds were cancelled");

# A document takes its time, so that one can look on.
$node->safe_psql(<<'SQL');
CREATE FUNCTION slow(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
  AS 'BEGIN PERFORM pg_sleep(0.001); RETURN $1; END';
SQL
my $slow = 'CREATE INDEX idx ON docs USING abstracts (slow(body))';
my $session = $node->session;
$session->query('SET max_parallel_maintenance_workers = 2');
$session->send($slow);
ok( $node->poll_until(
		"SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'parallel worker' "
		  . "AND query LIKE 'CREATE INDEX%'", '2'),
	'two workers show the statement');
ok( $node->poll_until(
		"SELECT phase, tuples_done > 1000, blocks_total > 0 AND blocks_done > 0 FROM pg_stat_progress_create_index",
		'building index: reading table|t|t'),
	'progress shows phase, rows and blocks');
$node->safe_psql(
	"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'parallel worker' LIMIT 1");
like($session->wait, qr/terminating|terminated/, 'a worker that is ended ends the build');
$session->quit;
ok(no_workers(), '... and the other worker');
is(leftovers(), '0|0', '... and nothing is left');

#-------------------------------------------------------------------------
# Crashes
#-------------------------------------------------------------------------

build(2, <<'SQL');
CREATE INDEX idx ON docs USING abstracts (doc);
CREATE UNLOGGED TABLE u WITH (parallel_workers = 2) AS SELECT * FROM docs;
CREATE INDEX u_idx ON u USING abstracts (doc);
SELECT abstracts_check('u_idx', true)
SQL
my $before = answers('doc');
$node->kill9;
$node->start;
cmp_ok(check(), '>=', $rows, 'the index survives a crash');
is(answers('doc'), $before, '... with its answers');
is($node->safe_psql("SELECT abstracts_check('u_idx', true)"), '0', 'an unlogged index is empty afterwards');

# Without WAL the files themselves are synced.
$node->append_conf("wal_level = minimal\nmax_wal_senders = 0\nwal_skip_threshold = 0\n");
$node->restart;
($launched) = build(2, <<'SQL');
BEGIN;
CREATE TABLE m WITH (parallel_workers = 2) AS SELECT * FROM docs;
CREATE INDEX m_idx ON m USING abstracts (doc);
COMMIT
SQL
is($launched, 2, 'workers for an index that needs no WAL');
$node->kill9;
$node->start;
cmp_ok($node->safe_psql("SELECT abstracts_check('m_idx', true)"), '>=', $rows, '... which survives a crash, too');

done_testing();
