# 003_crash.pl
#
# SIGKILL at random moments of insert, flush, merge and VACUUM: after recovery
# the index is whole, holds every committed row, and answers as a fresh one.
#
# ABST_ROUNDS (default 10) sets the number of crashes.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Time::HiRes qw(usleep);
use AbstCluster;
use AbstCorpus;

my $rounds = $ENV{ABST_ROUNDS} || 10;
my $corpus = AbstCorpus->new(seed => 33, length => 60);

my $node = AbstCluster->new('crash');
$node->init(conf => "autovacuum = off\nfsync = off\nfull_page_writes = on\nmax_wal_size = 64MB\ncheckpoint_timeout = 30s\n");
$node->start;
$node->safe_psql(<<'SQL');
CREATE EXTENSION abstracts;
CREATE TABLE papers (id bigserial PRIMARY KEY, title text, abstract text,
  doc tsvector GENERATED ALWAYS AS (abstract_vector(title, abstract)) STORED);
CREATE INDEX papers_doc_idx ON papers USING abstracts (doc);
CREATE TABLE stock (id serial, title text, abstract text);
SQL

# A stock of documents that the sessions copy from.
my $rows = '';
for (1 .. 2000)
{
	my ($title, $abstract) = $corpus->document;
	$rows .= join("\t", AbstCorpus::copy_field($title), AbstCorpus::copy_field($abstract)) . "\n";
}
$node->safe_psql("COPY stock (title, abstract) FROM STDIN;\n$rows\\.\n");
$node->safe_psql('INSERT INTO papers (title, abstract) SELECT title, abstract FROM stock');

my @work = (
	# single rows and batches, some rolled back
	q{DO $$ BEGIN FOR i IN 1 .. 100000 LOOP
	    INSERT INTO papers (title, abstract) SELECT title, abstract FROM stock
	     ORDER BY random() LIMIT 1 + (random() * 20)::int;
	    IF random() < 0.2 THEN ROLLBACK; ELSE COMMIT; END IF; END LOOP; END $$},
	q{DO $$ BEGIN FOR i IN 1 .. 100000 LOOP
	    DELETE FROM papers WHERE id IN (SELECT id FROM papers ORDER BY random() LIMIT 4);
	    UPDATE papers SET title = title || ' again' WHERE id IN
	     (SELECT id FROM papers ORDER BY random() LIMIT 4);
	    COMMIT; END LOOP; END $$},
	q{DO $$ BEGIN FOR i IN 1 .. 100000 LOOP
	    PERFORM abstracts_flush('papers_doc_idx'); COMMIT; END LOOP; END $$},
	q{DO $$ BEGIN FOR i IN 1 .. 100000 LOOP
	    PERFORM abstracts_merge('papers_doc_idx'); COMMIT; END LOOP; END $$},
);

my @queries = map { $corpus->query($_) } (@AbstCorpus::KINDS) x 2;

# Ids and distances of the best 50 of every query, as one text.
sub answers
{
	my $sql = "SET enable_seqscan = off; SET enable_bitmapscan = off;\n";
	for my $q (@queries)
	{
		(my $quoted = $q) =~ s/'/''/g;
		$sql .= "SELECT string_agg(d || ' ' || n, ',' ORDER BY d) FROM
		  (SELECT d, count(*) AS n FROM (SELECT doc <=> '$quoted' AS d FROM papers
		    WHERE doc @~ '$quoted' ORDER BY doc <=> '$quoted' LIMIT 50) s GROUP BY d) t;\n";
	}
	return $node->safe_psql($sql);
}

my $state = 12345;
for my $round (1 .. $rounds)
{
	my @sessions;
	for my $sql (@work)
	{
		my $s = $node->session('postgres');
		$s->send($sql);
		push @sessions, $s;
	}
	my $vacuum = $node->session('postgres');
	$vacuum->send("VACUUM papers;\n" x 200);
	$state = ($state * 1103515245 + 12345) % 2147483648;
	usleep(100_000 + $state % 900_000);
	$node->kill9;
	eval { $_->quit } for @sessions, $vacuum;
	$node->start;

	my ($status, undef, $err) = $node->psql("SELECT abstracts_check('papers_doc_idx', true)");
	is($status, 0, "round $round: the index is whole after recovery") or diag($err);
	next unless $round % 3 == 0 || $round == $rounds;

	# Without dead rows it has to answer as an index built anew.
	$node->safe_psql('VACUUM papers');
	$node->safe_psql("SELECT abstracts_merge('papers_doc_idx')");
	my $grown = answers();
	$node->safe_psql('REINDEX INDEX papers_doc_idx');
	is($grown, answers(), "round $round: it answers as a fresh index");
}

my $rows_left = $node->safe_psql('SELECT count(*) FROM papers');
cmp_ok($rows_left, '>', 500, "rows are left ($rows_left)");
done_testing();
