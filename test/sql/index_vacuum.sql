-- VACUUM: dead rows are marked, dropped, and their space comes back.
SET client_min_messages = warning;
CREATE SCHEMA index_vacuum;
SET search_path = index_vacuum, public;

CREATE FUNCTION made_up(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg('w' || ((i::bigint * 7919 + j * j * 104729) % (3 + j * j))::text, ' ')
	  FROM generate_series(1, 5 + i % 60) j
$$;

CREATE TABLE docs (id int PRIMARY KEY, doc tsvector) WITH (autovacuum_enabled = off);
INSERT INTO docs SELECT i, CASE WHEN i % 50 > 0 THEN to_tsvector('simple', made_up(i)) END
  FROM generate_series(1, 10000) i;
CREATE INDEX docs_idx ON docs USING abstracts (doc);

-- Few dead rows are marked and stay in the statistics, NULL rows too.
DELETE FROM docs WHERE id % 10 = 0;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT documents, null_rows, dead_rows, segments FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);
SELECT reltuples FROM pg_class WHERE oid = 'docs_idx'::regclass;

-- A second VACUUM has nothing to do.
VACUUM (INDEX_CLEANUP ON) docs;
SELECT documents, null_rows, dead_rows, segments FROM abstracts_stats('docs_idx');

-- Their places are used again, pending or not; no row is there twice.
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(20001, 20500) i;
SELECT abstracts_check('docs_idx', true);
SELECT abstracts_flush('docs_idx') > 0 AS flushed;
SELECT abstracts_check('docs_idx', true);

-- Many dead rows: the segment is rewritten without them.
DELETE FROM docs WHERE id % 3 = 0;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT dead_rows, documents = (SELECT count(doc) FROM docs) AS documents FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);

-- The pending list is vacuumed as well.
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(30001, 30200) i;
DELETE FROM docs WHERE id > 30100;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT pending_rows FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);
SELECT abstracts_merge('docs_idx') > 0 AS merged;
SELECT dead_rows, segments, documents = (SELECT count(doc) FROM docs) AS documents
  FROM abstracts_stats('docs_idx');

-- VACUUM without work for the index, and ANALYZE, leave it as it is.
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(40001, 40010) i;
ANALYZE docs;
SELECT pending_rows FROM abstracts_stats('docs_idx');
VACUUM (INDEX_CLEANUP OFF) docs;
SELECT pending_rows FROM abstracts_stats('docs_idx');
VACUUM docs;
SELECT pending_rows FROM abstracts_stats('docs_idx');

-- After heavy churn the index stays near the size of a new one.
CREATE PROCEDURE churn(step int) LANGUAGE sql AS $$
	UPDATE index_vacuum.docs SET doc = to_tsvector('simple', index_vacuum.made_up(id + step)) WHERE doc IS NOT NULL
$$;
CALL churn(1);
VACUUM (INDEX_CLEANUP ON) docs;
CALL churn(2);
VACUUM (INDEX_CLEANUP ON) docs;
CALL churn(3);
VACUUM (INDEX_CLEANUP ON) docs;
CALL churn(4);
VACUUM (INDEX_CLEANUP ON) docs;
CALL churn(5);
VACUUM (INDEX_CLEANUP ON) docs;
CALL churn(6);
VACUUM (INDEX_CLEANUP ON) docs;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT abstracts_check('docs_idx', true) = (SELECT count(*) FROM docs) AS checked;
CREATE INDEX docs_new_idx ON docs USING abstracts (doc);
SELECT pg_relation_size('docs_idx') <= 1.5 * pg_relation_size('docs_new_idx') AS near_new;
DROP INDEX docs_new_idx;

-- VACUUM FULL and CLUSTER build anew.
VACUUM FULL docs;
SELECT abstracts_check('docs_idx', true) = (SELECT count(*) FROM docs) AS checked;
CLUSTER docs USING docs_pkey;
SELECT abstracts_check('docs_idx', true) = (SELECT count(*) FROM docs) AS checked;

-- An empty table leaves an empty index, and the file shrinks.
DELETE FROM docs;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT documents, null_rows, dead_rows, segments, pages < 10 AS small FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(1, 3000) i;
SELECT abstracts_check('docs_idx', true);
TRUNCATE docs;
SELECT documents, segments, pending_rows, pages FROM abstracts_stats('docs_idx');
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(1, 30) i;
SELECT abstracts_check('docs_idx', true);

DROP SCHEMA index_vacuum CASCADE;
