-- What a session keeps of segments is never that of an earlier file: the same
-- block and segment number come again after TRUNCATE, at the end of a
-- transaction, after ROLLBACK and REINDEX.
SET client_min_messages = warning;
CREATE SCHEMA kept;
SET search_path = kept, public;
SET enable_seqscan = off;

-- the ten best and whether the index has their distances right, and what it
-- holds; flushed, so that there is a segment
CREATE FUNCTION look(tab text, q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found text;
BEGIN
  PERFORM abstracts_flush((tab || '_doc')::regclass);
  EXECUTE format('SELECT string_agg(doc || CASE WHEN d = doc::text::tsvector <=> abstract_query(%2$L::text, ''%1$s_doc''::regclass) THEN '''' ELSE '' wrong'' END, '' | '')
                    FROM (SELECT doc, doc <=> %2$L AS d FROM %1$I WHERE doc @~ %2$L ORDER BY doc <=> %2$L LIMIT 10) s', tab, q) INTO found;
  RETURN coalesce(found, 'nothing') || ', ' || abstracts_check((tab || '_doc')::regclass, true);
END $$;

-- truncated in the transaction that made it: the index is built anew in its file
BEGIN;
CREATE TABLE t (doc tsvector);
CREATE INDEX t_doc ON t USING abstracts (doc);
INSERT INTO t SELECT ('a' || i || ':1 x:2')::tsvector FROM generate_series(1, 300) i;
SELECT look('t', 'a7');
TRUNCATE t;
INSERT INTO t SELECT ('b' || i || ':1 x:2,3,4,5,6')::tsvector FROM generate_series(1, 300) i;
SELECT look('t', 'a7'), look('t', 'b7');
SAVEPOINT s;
TRUNCATE t;
INSERT INTO t VALUES ('c:1');
SELECT look('t', 'b7'), look('t', 'c');
ROLLBACK TO s;
SELECT look('t', 'b7'), look('t', 'c');
COMMIT;
SELECT look('t', 'b7');
BEGIN;
TRUNCATE t;
INSERT INTO t VALUES ('d:1');
SELECT look('t', 'd');
ROLLBACK;
SELECT look('t', 'b7'), look('t', 'd');
REINDEX INDEX t_doc;
SELECT look('t', 'b7');
DELETE FROM t WHERE doc @~ 'b7';
VACUUM t;
SELECT look('t', 'b7'), look('t', 'b8');

-- emptied at the end of each transaction
CREATE TEMP TABLE e (doc tsvector) ON COMMIT DELETE ROWS;
CREATE INDEX e_doc ON e USING abstracts (doc);
BEGIN;
INSERT INTO e SELECT ('a' || i || ':1')::tsvector FROM generate_series(1, 200) i;
SELECT look('e', 'a7');
COMMIT;
BEGIN;
INSERT INTO e SELECT ('b' || i || ':1,2,3 x:7')::tsvector FROM generate_series(1, 200) i;
SELECT look('e', 'a7'), look('e', 'b7');
COMMIT;

DROP SCHEMA kept CASCADE;
