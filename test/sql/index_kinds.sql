-- Every kind of index there is, and who may maintain it.
SET client_min_messages = warning;
CREATE SCHEMA index_kinds;
SET search_path = index_kinds, public;

CREATE FUNCTION made_up(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg('w' || ((i::bigint * 7919 + j * j * 104729) % (3 + j * j))::text, ' ')
	  FROM generate_series(1, 5 + i % 60) j
$$;
CREATE TABLE docs (id int PRIMARY KEY, year int, title text, doc tsvector);
INSERT INTO docs SELECT i, 2000 + i % 25, made_up(i), to_tsvector('simple', made_up(i))
  FROM generate_series(1, 1500) i;

-- Several on one table: expression, partial, both.
CREATE INDEX plain_idx ON docs USING abstracts (doc);
CREATE INDEX expression_idx ON docs USING abstracts (to_tsvector('english', title));
CREATE INDEX lower_idx ON docs USING abstracts (upper(title)) WITH (config = 'simple');
CREATE INDEX partial_idx ON docs USING abstracts (doc) WHERE year >= 2020;
CREATE INDEX both_idx ON docs USING abstracts ((doc || to_tsvector('simple', year::text))) WHERE year < 2003;
INSERT INTO docs SELECT i, 2000 + i % 25, made_up(i), to_tsvector('simple', made_up(i))
  FROM generate_series(1501, 2500) i;
UPDATE docs SET year = year + 1 WHERE id % 4 = 0;
DELETE FROM docs WHERE id % 9 = 0;
SELECT i, abstracts_check(i, true) FROM
	unnest(ARRAY['plain_idx', 'expression_idx', 'lower_idx', 'partial_idx', 'both_idx']::regclass[]) i;
VACUUM (INDEX_CLEANUP ON) docs;
SELECT i, abstracts_check(i, true) > 0 AS checked, (abstracts_stats(i)).pending_rows FROM
	unnest(ARRAY['plain_idx', 'expression_idx', 'lower_idx', 'partial_idx', 'both_idx']::regclass[]) i;

-- An expression that fails leaves the index as it was.
CREATE TABLE picky (n int);
CREATE INDEX picky_idx ON picky USING abstracts (array_to_tsvector(ARRAY[(10 / n)::text]));
INSERT INTO picky VALUES (1), (2);
INSERT INTO picky VALUES (3), (0);
INSERT INTO picky VALUES (4);
SELECT abstracts_check('picky_idx', true);

-- Unlogged, logged again, temporary.
CREATE UNLOGGED TABLE fast (doc tsvector);
CREATE INDEX fast_idx ON fast USING abstracts (doc);
INSERT INTO fast SELECT doc FROM docs;
SELECT abstracts_check('fast_idx', true);
ALTER TABLE fast SET LOGGED;
SELECT abstracts_check('fast_idx', true);
ALTER TABLE fast SET UNLOGGED;
INSERT INTO fast SELECT doc FROM docs LIMIT 700;
SELECT abstracts_merge('fast_idx') > 0 AS merged;
SELECT abstracts_check('fast_idx', true);

CREATE TEMP TABLE short (doc tsvector) ON COMMIT DELETE ROWS;
CREATE INDEX short_idx ON short USING abstracts (doc);
BEGIN;
INSERT INTO short SELECT doc FROM docs;
SELECT abstracts_check('short_idx', true);
SELECT abstracts_flush('short_idx') > 0 AS flushed;
INSERT INTO short SELECT doc FROM docs;
SELECT abstracts_merge('short_idx') > 0 AS merged;
SELECT abstracts_check('short_idx', true);
COMMIT;
SELECT abstracts_check('short_idx', true);
DROP TABLE short;

-- CONCURRENTLY.
CREATE INDEX CONCURRENTLY slow_idx ON docs USING abstracts (doc);
SELECT abstracts_check('slow_idx', true) = count(*) AS checked FROM docs;
INSERT INTO docs (id, doc) VALUES (9001, NULL), (9002, 'pending');
REINDEX INDEX CONCURRENTLY slow_idx;
SELECT abstracts_check('slow_idx', true) = count(*) AS checked FROM docs;
REINDEX TABLE CONCURRENTLY docs;
SELECT i, abstracts_check(i, true) > 0 AS checked FROM
	unnest(ARRAY['plain_idx', 'expression_idx', 'lower_idx', 'partial_idx', 'both_idx', 'slow_idx']::regclass[]) i;
DROP INDEX CONCURRENTLY slow_idx;

-- In a transaction that fails, and one that truncates.
BEGIN;
CREATE INDEX gone_idx ON docs USING abstracts (doc);
ROLLBACK;
BEGIN;
TRUNCATE docs;
INSERT INTO docs (id, doc) VALUES (1, 'only');
SELECT abstracts_check('plain_idx', true);
ROLLBACK;
SELECT abstracts_check('plain_idx', true) >= count(*) AS checked FROM docs;

-- Partitioned: the functions work on all leaves.
CREATE TABLE parted (year int, doc tsvector) PARTITION BY RANGE (year);
CREATE TABLE parted_old PARTITION OF parted FOR VALUES FROM (0) TO (2010);
CREATE TABLE parted_new PARTITION OF parted FOR VALUES FROM (2010) TO (3000) PARTITION BY LIST (year);
CREATE TABLE parted_new_rest PARTITION OF parted_new DEFAULT;
CREATE INDEX parted_idx ON parted USING abstracts (doc);
INSERT INTO parted SELECT year, doc FROM docs WHERE year IS NOT NULL;
CREATE TABLE parted_new_2999 PARTITION OF parted_new FOR VALUES IN (2999);
SELECT abstracts_check('parted_idx', true) = count(*) AS checked FROM parted;
SELECT abstracts_flush('parted_idx') > 0 AS flushed;
INSERT INTO parted SELECT year, doc FROM docs WHERE year IS NOT NULL;
SELECT abstracts_merge('parted_idx') > 0 AS merged;
SELECT s.documents = count(*) AS documents, s.segments, s.pending_rows, s.terms
  FROM abstracts_stats('parted_idx') s, parted GROUP BY s.documents, s.segments, s.pending_rows, s.terms;

-- What the functions refuse.
SELECT abstracts_check('docs');
SELECT abstracts_check('docs_pkey');
SELECT abstracts_flush('docs_pkey');
SELECT abstracts_merge('docs');
SELECT abstracts_stats('docs_pkey');
SELECT abstracts_check(0);
SELECT abstracts_flush(NULL) IS NULL AS strict;

-- Privileges: upkeep is the owner's, figures are for those who may read.
CREATE ROLE regress_abst_owner;
CREATE ROLE regress_abst_other;
GRANT USAGE ON SCHEMA index_kinds TO regress_abst_owner, regress_abst_other;
CREATE TABLE owned (doc tsvector);
CREATE INDEX owned_idx ON owned USING abstracts (doc);
ALTER TABLE owned OWNER TO regress_abst_owner;
INSERT INTO owned SELECT doc FROM docs LIMIT 100;
SET ROLE regress_abst_other;
SELECT abstracts_flush('owned_idx');
SELECT abstracts_merge('owned_idx');
SELECT abstracts_check('owned_idx');
SELECT abstracts_check('owned_idx', true);
SELECT abstracts_stats('owned_idx');
RESET ROLE;
GRANT SELECT ON owned TO regress_abst_other;
SET ROLE regress_abst_other;
SELECT documents FROM abstracts_stats('owned_idx');
SELECT abstracts_check('owned_idx');
SET ROLE regress_abst_owner;
SELECT abstracts_flush('owned_idx') = count(*) AS flushed FROM owned;
SELECT abstracts_check('owned_idx', true) = count(*) AS checked FROM owned;
RESET ROLE;

-- An index's expression runs as the owner of the table when it is checked.
CREATE FUNCTION whoami(t tsvector) RETURNS tsvector LANGUAGE sql IMMUTABLE AS
	$$ SELECT t || array_to_tsvector(ARRAY[current_user::text]) $$;
CREATE TABLE told (doc tsvector);
ALTER TABLE told OWNER TO regress_abst_owner;
INSERT INTO told VALUES ('a'), ('b');
CREATE INDEX told_idx ON told USING abstracts (whoami(doc));
INSERT INTO told VALUES (NULL);
SELECT abstracts_check('told_idx', true);

DROP SCHEMA index_kinds CASCADE;
DROP ROLE regress_abst_owner;
DROP ROLE regress_abst_other;
