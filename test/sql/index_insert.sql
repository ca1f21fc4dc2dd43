-- Rows that come after CREATE INDEX: the pending list, flushes, small merges.
SET client_min_messages = warning;
CREATE SCHEMA index_insert;
SET search_path = index_insert, public;

CREATE FUNCTION made_up(i int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT string_agg('w' || ((i::bigint * 7919 + j * j * 104729) % (3 + j * j))::text, ' ')
	  FROM generate_series(1, 5 + i % 60) j
$$;

CREATE TABLE docs (id int PRIMARY KEY, doc tsvector) WITH (autovacuum_enabled = off);
CREATE INDEX docs_idx ON docs USING abstracts (doc);

-- A row is pending at once.
INSERT INTO docs VALUES (1, to_tsvector('simple', 'one row')), (2, NULL), (3, '');
SELECT documents, null_rows, pending_rows, pending_pages, segments FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);

-- A flush moves it into a segment; a second one has nothing to do.
SELECT abstracts_flush('docs_idx');
SELECT abstracts_flush('docs_idx');
SELECT documents, null_rows, pending_rows, segments, terms FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);

-- Many rows: the list is kept short, and so is the directory of segments.
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(10, 12009) i;
SELECT documents, pending_pages <= 64 AS list_short, segments BETWEEN 2 AND 30 AS few_segments
  FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);

-- One row a statement, in a subtransaction each, some rolled back.
DO $$
BEGIN
	FOR i IN 20000 .. 20999 LOOP
		BEGIN
			INSERT INTO docs VALUES (i, to_tsvector('simple', index_insert.made_up(i)));
			IF i % 10 = 0 THEN
				RAISE division_by_zero;
			END IF;
		EXCEPTION WHEN division_by_zero THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT abstracts_check('docs_idx', true);
BEGIN;
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(30000, 33000) i;
SELECT abstracts_flush('docs_idx') > 0 AS flushed;
ROLLBACK;
SELECT abstracts_check('docs_idx', true);
SELECT documents - (SELECT count(doc) FROM docs) AS not_visible FROM abstracts_stats('docs_idx');

-- Updates, of the document and of other columns.
UPDATE docs SET doc = doc || to_tsvector('simple', 'changed') WHERE id % 5 = 0;
UPDATE docs SET id = -id WHERE id % 7 = 0;
SELECT abstracts_check('docs_idx', true);

-- Everything into one segment; the statistics stay.
CREATE TEMP TABLE before AS SELECT * FROM abstracts_stats('docs_idx');
SELECT abstracts_merge('docs_idx');
SELECT abstracts_merge('docs_idx');
SELECT s.documents = b.documents AS documents, s.null_rows = b.null_rows AS null_rows,
	   abs(s.average_length - b.average_length) < 1e-9 AS average_length,
	   s.segments, s.pending_rows
  FROM abstracts_stats('docs_idx') s, before b;
SELECT abstracts_check('docs_idx', true);

-- A document too large for a page gets a segment of its own.
INSERT INTO docs
	SELECT 40000, to_tsvector('simple', string_agg('big' || i, ' ')) FROM generate_series(1, 5000) i;
SELECT segments, pending_rows, terms > 5000 AS terms FROM abstracts_stats('docs_idx');
INSERT INTO docs
	SELECT 40000 + n, to_tsvector('simple', string_agg('big' || i * n, ' '))
	  FROM generate_series(1, 2000) i, generate_series(1, 30) n GROUP BY n;
SELECT segments < 12 AS few_segments FROM abstracts_stats('docs_idx');
SELECT abstracts_check('docs_idx', true);

-- Rows come in any order of their places in the table.
DELETE FROM docs WHERE id BETWEEN 10 AND 1000;
VACUUM (INDEX_CLEANUP ON) docs;
INSERT INTO docs SELECT i, to_tsvector('simple', made_up(i)) FROM generate_series(50000, 52000) i;
SELECT abstracts_check('docs_idx', true);
SELECT abstracts_merge('docs_idx') > 0 AS merged;
SELECT abstracts_check('docs_idx', true);
SELECT s.documents = count(doc) AS documents, s.null_rows = count(*) - count(doc) AS null_rows
  FROM abstracts_stats('docs_idx') s, docs GROUP BY s.documents, s.null_rows;

-- What was inserted piece by piece is what a new index has.
CREATE INDEX docs_new_idx ON docs USING abstracts (doc);
SELECT (a.documents, a.null_rows, a.average_length, a.terms, a.postings) =
	   (b.documents, b.null_rows, b.average_length, b.terms, b.postings) AS same
  FROM abstracts_stats('docs_idx') a, abstracts_stats('docs_new_idx') b;

-- Not in a read-only transaction.
BEGIN READ ONLY;
SELECT abstracts_flush('docs_idx');
ROLLBACK;
BEGIN READ ONLY;
SELECT abstracts_merge('docs_idx');
ROLLBACK;

DROP SCHEMA index_insert CASCADE;
