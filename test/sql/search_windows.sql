-- Searches over many windows of a segment, where documents are skipped, terms
-- are left out and scores are tested while they grow: always the distances of
-- a sequential scan.
SET client_min_messages = warning;
SET jit = off;
CREATE SCHEMA windows;
SET search_path = windows, public;

-- word n is in about a third of the documents divided by n; every fifth
-- document has two fields; the words x21 to x32 are more frequent at the
-- beginning, so that later few documents have a chance
CREATE TABLE docs AS
  SELECT i AS id, setweight(to_tsvector('simple', string_agg('w' || w, ' ' ORDER BY k)), CASE WHEN i % 5 = 0 THEN 'A' ELSE 'D' END::"char")
         || CASE WHEN i % 5 = 0 THEN to_tsvector('simple', 'w1 w2 w' || i % 300) ELSE '' END
         || CASE WHEN i <= 8000 AND i % 50 BETWEEN 21 AND 32 THEN to_tsvector('simple', format('x%s x%1$s', i % 50))
                 WHEN i > 8000 AND i % 800 BETWEEN 21 AND 32 THEN to_tsvector('simple', repeat(format('x%s ', i % 800), 1 + i % 3))
                 ELSE '' END AS doc
    FROM (SELECT i, k, (2000 ^ ((hashint8(i * 1000 + k) & 1048575) / 1048576.0))::int AS w
            FROM generate_series(1, 40000) i, generate_series(1, 8 + (hashint8(i) & 15)) k) s
   GROUP BY i;
CREATE TABLE queries AS
  SELECT n, string_agg('w' || w, ' ') AS q, string_agg('w' || w, ' | ') AS any_of
    FROM (SELECT DISTINCT n, CASE WHEN k % 2 = 0 THEN (2000 ^ ((hashint8(n * 7919 + k) & 1048575) / 1048576.0))::int
                             ELSE 1 + (hashint8(n * 104729 + k) & 15) END AS w
            FROM generate_series(1, 20) n, generate_series(1, 1 + n * n / 4) k) s
   GROUP BY n
  UNION ALL -- a rare word and three that most documents have: those are looked up
  SELECT n, format('x%s w1 w2 w3', n), NULL FROM generate_series(21, 32) n;

CREATE TABLE trees AS
  SELECT n, q, NULL AS any_of FROM unnest(ARRAY[
    '+x22 w1 -w3', '"w2 w3"', '"w1 w2" x25', '(w1 OR x25) AND w40', '+w900 w1 w2', '+w1 +w2 +w3 w4', 'NOT w1', 'x31 -w2',
    '+absent w1', '"absent w1" OR w70', '(w5 AND NOT w1) OR "x22 x22"', '"w3 w1 w2"', '+w33 +w44', 'w60 AND (w61 OR w62 OR "w1 w2")']) WITH ORDINALITY t(q, n);

-- how many of the queries, at each limit, have other distances by the index
CREATE FUNCTION differ(tab text, op text, cond text DEFAULT 'true', asked text DEFAULT 'queries') RETURNS TABLE (k int, queries bigint, differ bigint) LANGUAGE plpgsql AS $$
DECLARE
  r record;
  whole float8[];
  best float8[];
BEGIN
  CREATE TEMP TABLE IF NOT EXISTS seen (k int, same bool);
  TRUNCATE seen;
  FOR r IN EXECUTE format('SELECT n, q, %s AS lit, replace(%L, ''$q'', quote_literal(q)) AS cond FROM %s ORDER BY n',
                          CASE op WHEN '<~>' THEN $q$to_tsvector('simple', q)::text$q$ ELSE 'q' END, cond, asked) LOOP
    PERFORM set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true), set_config('enable_sort', 'on', true);
    EXECUTE format('SELECT array_agg(d ORDER BY d) FROM (SELECT doc %s %L%s AS d FROM %s WHERE %s) s', op, r.lit,
                   CASE op WHEN '<~>' THEN '::tsvector' ELSE '' END, tab, r.cond) INTO whole;
    PERFORM set_config('enable_indexscan', 'on', true), set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true);
    FOR k IN SELECT unnest(ARRAY[1, 10, 100, 1000]) LOOP
      EXECUTE format('SELECT array_agg(d) FROM (SELECT doc %1$s %2$L%3$s AS d FROM %4$s WHERE %5$s ORDER BY doc %1$s %2$L%3$s LIMIT %6$s) s',
                     op, r.lit, CASE op WHEN '<~>' THEN '::tsvector' ELSE '' END, tab, r.cond, k) INTO best;
      INSERT INTO seen VALUES (k, best IS NOT DISTINCT FROM whole[1:k]);
    END LOOP;
  END LOOP;
  RETURN QUERY SELECT s.k, count(*), count(*) FILTER (WHERE NOT same) FROM seen s GROUP BY s.k ORDER BY s.k;
END $$;

-- one segment, some documents of two fields
CREATE INDEX docs_doc ON docs USING abstracts (doc) WITH (config = 'pg_catalog.simple');
SELECT * FROM differ('docs', '<=>');
SELECT * FROM differ('docs', '<~>');
SELECT * FROM differ('docs', '<=>', 'id % 7 = 3');
SELECT * FROM differ('docs', '<=>', asked => 'trees');
SELECT * FROM differ('docs', '<=>', 'doc @~ $q', 'trees');
SELECT * FROM differ('docs', '<=>', 'doc @~ ''+w9 w1''', 'trees');
-- field weights, one of them nothing
DROP INDEX docs_doc;
CREATE INDEX docs_doc ON docs USING abstracts (doc) WITH (config = 'pg_catalog.simple', weights = '0,1,1,1.5');
SELECT * FROM differ('docs', '<=>');
-- one field, many segments, pending and dead documents
CREATE TABLE plain AS SELECT id, strip(doc)::text::tsvector AS doc FROM docs WHERE id <= 15000;
UPDATE plain SET doc = docs.doc FROM docs WHERE docs.id = plain.id AND docs.id % 5 <> 0;
DELETE FROM plain WHERE id % 5 = 0;
CREATE INDEX plain_doc ON plain USING abstracts (doc) WITH (config = 'pg_catalog.simple');
INSERT INTO plain SELECT id, doc FROM docs WHERE id > 15000 AND id % 5 <> 0;
DELETE FROM plain WHERE id % 11 = 0;
VACUUM plain;
INSERT INTO plain SELECT id + 100000, doc FROM docs WHERE id % 40 = 1;
SELECT * FROM differ('plain', '<=>');
SELECT * FROM differ('plain', '<~>');
SELECT * FROM differ('plain', '<=>', asked => 'trees');
SELECT * FROM differ('plain', '<=>', 'doc @~ $q', 'trees');
-- little memory: lengths are not kept, batches are small
SET work_mem = '64kB';
SELECT * FROM differ('plain', '<=>');
RESET work_mem;
-- no length normalisation, no saturation
ALTER INDEX plain_doc SET (k1 = 0, b = 0);
SELECT * FROM differ('plain', '<=>');
ALTER INDEX plain_doc SET (k1 = 2, b = 1);
SELECT * FROM differ('plain', '<=>');
SELECT abstracts_check('plain_doc', true) > 0 AS sound;

DROP SCHEMA windows CASCADE;
