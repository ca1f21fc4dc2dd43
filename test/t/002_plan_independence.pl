# 002_plan_independence.pl
#
# The plan never changes the answer: ordered index scan, bitmap scan with a
# sort, and sequential scan with a sort give the same rows with the same
# scores, bit for bit, for text and tsvector columns, at every stage of the
# life of the index, with and without further conditions and limits.
#
# ABST_QUERIES (default 1000) and ABST_DOCS (default 5000) set the size.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use AbstCluster;
use AbstCorpus;

my $ndocs = $ENV{ABST_DOCS} || 5000;
my $nqueries = $ENV{ABST_QUERIES} || 1000;
my $corpus = AbstCorpus->new(seed => 20, length => 40);

my $node = AbstCluster->new('plans');
$node->init(conf => "autovacuum = off\njit = off\nmax_parallel_workers_per_gather = 0\n");
$node->start;
$node->safe_psql(<<'SQL');
CREATE EXTENSION abstracts;
CREATE TABLE vectors (id int PRIMARY KEY, year int, title text, abstract text,
  doc tsvector GENERATED ALWAYS AS (abstract_vector(title, abstract)) STORED);
CREATE TABLE texts (id int PRIMARY KEY, year int, doc text);
CREATE TABLE queries (n int, kind text, q text);
-- plans that were looked at
CREATE UNLOGGED TABLE seen (tab text, plan text, cond text, lim text);

CREATE FUNCTION use_plan(plan text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('enable_seqscan', (plan = 'seq')::text, false),
          set_config('enable_bitmapscan', (plan = 'bitmap')::text, false),
          set_config('enable_indexscan', (plan = 'index')::text, false),
          set_config('enable_sort', (plan <> 'index')::text, false);
END $$;

-- Is this the plan that was asked for?  Looked at once for each form.
CREATE FUNCTION look_at_plan(sql text, tab text, plan text, cond text, lim text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  node text := '';
  line text;
BEGIN
  IF EXISTS (SELECT FROM seen s WHERE (s.tab, s.plan, s.cond, s.lim) = ($2, $3, $4, $5)) THEN
    RETURN NULL;
  END IF;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || sql
  LOOP node := node || line || chr(10); END LOOP;
  IF node !~ (CASE plan WHEN 'index' THEN 'Index Scan using ' || tab || '_doc_idx'
                        ELSE 'Bitmap Index Scan on ' || tab || '_doc_idx' END) THEN
    RETURN 'not the plan wanted: ' || node;
  END IF;
  INSERT INTO seen VALUES (tab, plan, cond, lim);
  RETURN NULL;
END $$;

-- One question by one plan against the truth; says what is wrong, or NULL.
CREATE FUNCTION check_plan(tab text, q text, plan text, cond text, truth_cond text, k int)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  lim text := coalesce(k::text, 'ALL');
  sql text := format('SELECT id, doc <=> %1$L AS d FROM %2$I WHERE %3$s ORDER BY doc <=> %1$L LIMIT %4$s',
                     q, tab, format(cond, q), lim);
  wrong text;
  ids int[];
  want float8[];
  have float8[];
BEGIN
  PERFORM use_plan(plan);
  wrong := look_at_plan(sql, tab, plan, cond, lim);
  IF wrong IS NOT NULL THEN
    RETURN wrong;
  END IF;
  EXECUTE format('SELECT array_agg(id), array_agg(d) FROM (%s) s', sql) INTO ids, have;
  PERFORM use_plan('seq');
  EXECUTE format('SELECT array_agg(d) FROM (SELECT d FROM truth WHERE %s ORDER BY d LIMIT %s) s',
                 truth_cond, lim) INTO want;
  IF want IS DISTINCT FROM have THEN
    RETURN format('distances differ: %s rows wanted, %s had', cardinality(want), cardinality(have));
  END IF;
  EXECUTE format('SELECT string_agg(id || '' '' || coalesce(d::text, ''NULL''), '', '') FROM
    (SELECT * FROM unnest($1, $2) g (id, d) EXCEPT ALL SELECT id, d FROM truth WHERE %s LIMIT 5) s',
                 truth_cond) INTO wrong USING ids, have;
  IF wrong IS NOT NULL THEN
    RETURN 'rows that should not be there: ' || wrong;
  END IF;
  RETURN NULL;
END $$;

-- All plans, conditions and limits for one query; returns the failures.
CREATE FUNCTION check_query(tab text, q text, whole bool) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  k int;
  c text[];
  bad text;
  plan text;
BEGIN
  PERFORM use_plan('seq');
  EXECUTE format('INSERT INTO truth SELECT id, year, doc <=> %1$L, doc @~ %1$L FROM %2$I', q, tab);
  FOREACH c SLICE 1 IN ARRAY ARRAY[['true', 'true'], ['doc @~ %1$L', 'm'],
                                   ['doc @~ %1$L AND year >= 2020', 'm AND year >= 2020'],
                                   ['year = 2015', 'year = 2015']]
  LOOP
    FOREACH k IN ARRAY ARRAY[1, 10, 1000, NULL]
    LOOP
      CONTINUE WHEN k IS NULL AND NOT whole AND c[1] NOT LIKE '%@~%';
      CONTINUE WHEN k = 1000 AND NOT whole AND c[1] NOT LIKE '%@~%';
      bad := check_plan(tab, q, 'index', c[1], c[2], k);
      IF bad IS NOT NULL THEN
        RETURN NEXT format('%s, index, WHERE %s LIMIT %s: %s', tab, c[1], k, bad);
      END IF;
    END LOOP;
    CONTINUE WHEN c[1] NOT LIKE '%@~%';
    bad := check_plan(tab, q, 'bitmap', c[1], c[2], NULL);
    IF bad IS NOT NULL THEN
      RETURN NEXT format('%s, bitmap, WHERE %s: %s', tab, c[1], bad);
    END IF;
  END LOOP;
END $$;
SQL

# COPY new documents into both tables.
my $next_id = 1;
sub add_documents
{
	my ($n) = @_;
	my ($vectors, $texts) = ('', '');
	for (1 .. $n)
	{
		my ($title, $abstract) = $corpus->document;
		my $year = 2000 + $corpus->below(26);
		# short texts: the sequential scan reads each of them for each query
		my $body = defined $title ? "$title " . join(' ', grep { defined } (split / /, $abstract)[ 0 .. 7 ]) : undef;
		$vectors .= join("\t", $next_id, $year, AbstCorpus::copy_field($title),
			AbstCorpus::copy_field($abstract)) . "\n";
		$texts .= join("\t", $next_id, $year, AbstCorpus::copy_field($body)) . "\n";
		$next_id++;
	}
	$node->safe_psql("COPY vectors (id, year, title, abstract) FROM STDIN;\n$vectors\\.\n");
	$node->safe_psql("COPY texts FROM STDIN;\n$texts\\.\n");
}

my $asked = 0;
sub stage
{
	my ($name, $share) = @_;
	my $n = int($nqueries * $share);
	my @bad;
	my $s = $node->session('postgres');

	# what a sequential scan says; emptied after each query
	$s->query('CREATE TEMP TABLE truth (id int, year int, d float8, m bool) ON COMMIT DELETE ROWS');
	for my $tab (qw(vectors texts))
	{
		$s->query("SELECT abstracts_check('${tab}_doc_idx', true)");
	}
	for my $i (1 .. $n)
	{
		my $kind = $AbstCorpus::KINDS[ $asked++ % @AbstCorpus::KINDS ];
		my $q = $corpus->query($kind);
		(my $quoted = $q) =~ s/'/''/g;
		for my $tab (qw(vectors texts))
		{
			my $whole = $tab eq 'vectors' || $i % 10 == 0 ? 'true' : 'false';
			my $out = $s->query("SELECT * FROM check_query('$tab', '$quoted', $whole)");
			$out =~ s/^\s+|\s+$//g;
			push @bad, "[$kind] $q: $out" if $out ne '';
		}
	}
	$s->quit;
	is(scalar @bad, 0, "$name: $n queries, all plans agree")
	  or diag(join("\n", @bad > 10 ? @bad[ 0 .. 9 ] : @bad));
}

add_documents($ndocs);
$node->safe_psql('CREATE INDEX vectors_doc_idx ON vectors USING abstracts (doc)');
$node->safe_psql('CREATE INDEX texts_doc_idx ON texts USING abstracts (doc)');
$node->safe_psql('ANALYZE vectors, texts');
stage('after build', 0.2);

add_documents(300);
stage('after inserts', 0.15);

$node->safe_psql(<<'SQL');
UPDATE vectors SET abstract = abstract || ' ' || title WHERE id % 7 = 0;
UPDATE texts SET doc = doc || ' ' || left(doc, 40) WHERE id % 7 = 0;
DELETE FROM vectors WHERE id % 11 = 0;
DELETE FROM texts WHERE id % 11 = 0;
SQL
stage('after updates and deletes', 0.15);

$node->safe_psql("SELECT abstracts_flush('vectors_doc_idx'); SELECT abstracts_flush('texts_doc_idx')");
stage('after flush', 0.1);

$node->safe_psql('VACUUM vectors');
$node->safe_psql('VACUUM texts');
stage('after VACUUM', 0.15);

add_documents(200);
$node->safe_psql('UPDATE vectors SET year = year + 1 WHERE id % 5 = 0');
$node->safe_psql('UPDATE texts SET year = year + 1 WHERE id % 5 = 0');
$node->safe_psql("SELECT abstracts_merge('vectors_doc_idx'); SELECT abstracts_merge('texts_doc_idx')");
stage('after merge', 0.15);

$node->safe_psql('DELETE FROM vectors WHERE id % 3 = 0; DELETE FROM texts WHERE id % 3 = 0');
$node->safe_psql('VACUUM vectors');
$node->safe_psql('VACUUM texts');
stage('after more churn', 0.1);

done_testing();
