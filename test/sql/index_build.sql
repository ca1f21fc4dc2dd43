-- CREATE INDEX and REINDEX: what is in the index is what is in the table.
SET client_min_messages = warning;
CREATE SCHEMA index_build;
SET search_path = index_build, public;

-- A made-up document: words of very different frequency, some repeated.
CREATE FUNCTION made_up(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg('w' || ((i::bigint * 7919 + j * j * 104729) % (3 + j * j))::text, ' ')
	  FROM generate_series(1, 5 + i % 60) j
$$;

CREATE TABLE docs (id int PRIMARY KEY, doc tsvector);
INSERT INTO docs
	SELECT i, CASE WHEN i % 97 = 0 THEN NULL
				   WHEN i % 89 = 0 THEN ''
				   ELSE setweight(to_tsvector('simple', made_up(i % 7)), 'A') ||
						to_tsvector('simple', made_up(i)) END
	  FROM generate_series(1, 6000) i;

CREATE INDEX docs_idx ON docs USING abstracts (doc);
SELECT abstracts_check('docs_idx', true);

-- The figures agree with those that the core counts.
SELECT s.documents = (SELECT count(doc) FROM docs) AS documents,
	   s.null_rows = (SELECT count(*) FROM docs WHERE doc IS NULL) AS null_rows,
	   s.terms = t.terms AS terms,
	   s.postings = t.postings AS postings,
	   round((s.average_length * s.documents)::numeric) = t.entries AS lengths,
	   s.segments, s.pending_rows, s.dead_rows,
	   s.bytes = pg_relation_size('docs_idx') AS bytes
  FROM abstracts_stats('docs_idx') s,
	   (SELECT count(*) AS terms, sum(ndoc) AS postings, sum(nentry) AS entries
		  FROM ts_stat('SELECT doc FROM index_build.docs')) t;

-- With little memory the words go through temporary files, to the same end.
SET maintenance_work_mem = '1MB';
INSERT INTO docs
	SELECT 100000 + i, to_tsvector('simple', made_up(i * 3) || ' ' || md5(i::text) ||
								   ' ' || md5((i % 1000)::text))
	  FROM generate_series(1, 15000) i;
SELECT abstracts_merge('docs_idx') > 0 AS merged;
CREATE INDEX docs_small_idx ON docs USING abstracts (doc);
SET maintenance_work_mem = '256MB';
CREATE INDEX docs_large_idx ON docs USING abstracts (doc);
SELECT abstracts_check('docs_small_idx', true), abstracts_check('docs_large_idx', true),
	   abstracts_check('docs_idx', true);
SELECT (SELECT (a.documents, a.null_rows, a.average_length, a.terms, a.postings) =
			   (b.documents, b.null_rows, b.average_length, b.terms, b.postings)
		  FROM abstracts_stats('docs_small_idx') a, abstracts_stats('docs_large_idx') b) AS same_figures,
	   (SELECT (a.documents, a.null_rows, a.average_length, a.terms, a.postings) =
			   (b.documents, b.null_rows, b.average_length, b.terms, b.postings)
		  FROM abstracts_stats('docs_idx') a, abstracts_stats('docs_large_idx') b) AS same_merged;
RESET maintenance_work_mem;

REINDEX INDEX docs_idx;
SELECT abstracts_check('docs_idx', true);

-- Rows of a page that do not arrive in order: heads of HOT chains.
CREATE TABLE hot (id int, n int, doc tsvector) WITH (fillfactor = 40, autovacuum_enabled = off);
INSERT INTO hot SELECT i, 0, to_tsvector('simple', made_up(i)) FROM generate_series(1, 500) i;
UPDATE hot SET n = 1 WHERE id % 3 = 0;
UPDATE hot SET n = 2 WHERE id % 6 = 0;
CREATE INDEX hot_idx ON hot USING abstracts (doc);
SELECT abstracts_check('hot_idx', true);
-- and with a row that gets a new chain afterwards
UPDATE hot SET doc = doc || 'new:1'::tsvector WHERE id % 10 = 0;
SELECT abstracts_check('hot_idx', true);
DELETE FROM hot WHERE id % 2 = 0;
REINDEX INDEX hot_idx;
SELECT abstracts_check('hot_idx', true) >= 250 AS checked;

-- Nothing, nulls only, empty documents only.
CREATE TABLE bare (doc tsvector);
CREATE INDEX bare_idx ON bare USING abstracts (doc);
SELECT abstracts_check('bare_idx', true);
SELECT * FROM abstracts_stats('bare_idx');
INSERT INTO bare SELECT NULL FROM generate_series(1, 10);
REINDEX INDEX bare_idx;
SELECT abstracts_check('bare_idx', true);
SELECT documents, null_rows, terms FROM abstracts_stats('bare_idx');
TRUNCATE bare;
INSERT INTO bare SELECT '' FROM generate_series(1, 10);
REINDEX INDEX bare_idx;
SELECT abstracts_check('bare_idx', true);
SELECT documents, null_rows, average_length, terms FROM abstracts_stats('bare_idx');

-- A word without positions, one with many, and one of a field at a time.
CREATE TABLE odd (doc tsvector);
INSERT INTO odd VALUES ('plain'), ('a:1A,2B,3C,4 b:5C'), ('a:9C'),
	(to_tsvector('simple', repeat('again ', 1000))), (array_to_tsvector(ARRAY[repeat('x', 2000), repeat('y', 255)]));
CREATE INDEX odd_idx ON odd USING abstracts (doc);
SELECT abstracts_check('odd_idx', true);
SELECT documents, average_length, terms, postings FROM abstracts_stats('odd_idx');

-- Text columns.
CREATE TABLE texts (t text, v varchar(200));
INSERT INTO texts SELECT made_up(i), left(made_up(i + 1), 200) FROM generate_series(1, 300) i;
INSERT INTO texts VALUES (NULL, ''), ('', NULL);
CREATE INDEX texts_t_idx ON texts USING abstracts (t) WITH (config = 'english');
CREATE INDEX texts_v_idx ON texts USING abstracts (v) WITH (config = 'pg_catalog.simple');
SELECT abstracts_check('texts_t_idx', true), abstracts_check('texts_v_idx', true);
SELECT s.terms = count(*) AS terms, s.postings = sum(ndoc) AS postings
  FROM abstracts_stats('texts_v_idx') s,
	   ts_stat($$SELECT to_tsvector('simple', v) FROM index_build.texts$$)
 GROUP BY s.terms, s.postings;

-- What cannot be indexed.
CREATE INDEX ON docs USING abstracts (id);
CREATE INDEX ON texts USING abstracts (t, v);
CREATE UNIQUE INDEX ON texts USING abstracts (t);
CREATE INDEX ON texts USING abstracts (t) INCLUDE (v);
CREATE INDEX ON texts USING abstracts (t DESC);

-- The check notices when a document has changed behind the index's back.
SELECT 'now' AS which INTO config_state;
CREATE FUNCTION fickle(t text) RETURNS text LANGUAGE sql IMMUTABLE AS
	$$ SELECT t || (SELECT which FROM index_build.config_state) $$;
CREATE INDEX texts_fickle_idx ON texts USING abstracts (fickle(t)) WITH (config = 'simple');
SELECT abstracts_check('texts_fickle_idx', true);
UPDATE config_state SET which = 'then';
SELECT abstracts_check('texts_fickle_idx');
\set VERBOSITY terse
SELECT abstracts_check('texts_fickle_idx', true);
\set VERBOSITY default

DROP SCHEMA index_build CASCADE;
