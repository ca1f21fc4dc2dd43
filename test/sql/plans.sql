-- The same question by the index and by a sequential scan, for every kind of
-- index, column and statement.
SET client_min_messages = warning;
SET jit = off;
CREATE SCHEMA plans;
SET search_path = plans, public;

-- Documents from a small generator: frequent and rare words, ties, NULLs.
CREATE FUNCTION word(n int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT (ARRAY['graph', 'neural', 'detection', 'few-shot', 'GPT-4o', 'LLMs', 'network',
                 'x-ray', '16\%', 'Gödel', 'learning', 'the'])[1 + (n * n + n / 7) % 12] || CASE WHEN n % 5 = 0 THEN ' w' || n % 97 ELSE '' END $$;
CREATE FUNCTION body(i int, n int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN i % 41 = 0 THEN NULL WHEN i % 43 = 0 THEN ''
          ELSE (SELECT string_agg(word(i * 13 + k * k), ' ' ORDER BY k) FROM generate_series(1, n + i % 9) k) END $$;
CREATE TABLE docs AS
  SELECT i AS id, 2000 + i % 25 AS year, body(i, 2) AS title, body(i + 7, 12) AS abstract
    FROM generate_series(1, 1200) i;
ALTER TABLE docs ADD PRIMARY KEY (id);

-- Rows of a statement (id, d) by one plan, best first.
CREATE FUNCTION answer(sql text, plan text) RETURNS TABLE (ids int[], ds float8[]) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('enable_seqscan', (plan = 'seq')::text, true),
          set_config('enable_indexscan', (plan = 'index')::text, true),
          set_config('enable_bitmapscan', (plan = 'bitmap')::text, true),
          set_config('enable_sort', (plan <> 'index')::text, true);
  RETURN QUERY EXECUTE format('SELECT array_agg(id), array_agg(d) FROM (%s) s', sql);
END $$;

-- Do the plans agree?  Says how many rows there are, or what differs.
CREATE FUNCTION agree(what text, sql text, plan text DEFAULT 'index') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  a record;
  b record;
  line text;
  lines text := '';
BEGIN
  SELECT * FROM answer(sql, 'seq') INTO a;
  SELECT * FROM answer(sql, plan) INTO b;
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || sql LOOP lines := lines || line || E'\n'; END LOOP;
  IF lines !~ (CASE plan WHEN 'index' THEN 'Index Scan using \S*doc_idx' ELSE 'Bitmap Index Scan on \S*doc_idx' END) THEN
    RETURN what || ': not by the index: ' || lines;
  END IF;
  IF a.ds IS DISTINCT FROM b.ds THEN
    RETURN what || ': distances differ';
  END IF;
  IF EXISTS (SELECT * FROM unnest(a.ids, a.ds) EXCEPT ALL SELECT * FROM unnest(b.ids, b.ds)) AND sql !~ 'LIMIT' THEN
    RETURN what || ': rows differ';
  END IF;
  RETURN what || ': ' || coalesce(cardinality(a.ids), 0) || ' rows';
END $$;

-- The questions, for a column of a table.
CREATE TABLE questions (n serial, q text);
INSERT INTO questions (q) VALUES ('graph'), ('neural detection w3'), ('+few-shot graph'), ('"neural network" x-ray'),
  ('graph -neural'), ('NOT graph'), ('(graph OR "w5 learning") AND NOT ("graph neural" AND NOT "detection graph")'),
  ('llm godel GPT-4o'), ('absent'), (''), ('the'), ('"the graph" +"16%"'), ('(graph AND neural) OR (w1 w2 w3) -w4'),
  ('graph graph graph neural'), ('+graph +neural +detection "few shot"');
CREATE FUNCTION ask(tab text, col text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  r record;
  bad text;
BEGIN
  FOR r IN SELECT * FROM questions ORDER BY n LOOP
    FOREACH bad IN ARRAY ARRAY[
      agree('all', format('SELECT id, %1$s <=> %2$L AS d FROM %3$s ORDER BY %1$s <=> %2$L', col, r.q, tab)),
      agree('matching', format('SELECT id, %1$s <=> %2$L AS d FROM %3$s WHERE %1$s @~ %2$L ORDER BY %1$s <=> %2$L', col, r.q, tab)),
      agree('first', format('SELECT id, %1$s <=> %2$L AS d FROM %3$s WHERE %1$s @~ %2$L AND year > 2010 ORDER BY %1$s <=> %2$L LIMIT 20', col, r.q, tab))]
    LOOP
      IF bad !~ 'rows$' OR bad ~ 'differ' THEN RETURN NEXT r.q || ': ' || bad; END IF;
    END LOOP;
  END LOOP;
  RETURN NEXT 'asked about ' || tab;
END $$;

-- expression index, and a text column
CREATE INDEX docs_expr_doc_idx ON docs USING abstracts (abstract_vector(title, abstract));
SELECT ask('docs', 'abstract_vector(title, abstract)');
CREATE INDEX docs_text_doc_idx ON docs USING abstracts (abstract);
SELECT ask('docs', 'abstract');
-- two indexes with different configurations: the oldest gives the weights, and only it can answer
CREATE INDEX docs_simple_doc_idx ON docs USING abstracts (abstract) WITH (config = 'pg_catalog.simple');
SELECT ask('docs', 'abstract');
DROP INDEX docs_text_doc_idx;
SELECT ask('docs', 'abstract');

-- all labels, weights, parameters at their ends
CREATE TABLE labels AS
  SELECT id, year, setweight(to_tsvector('public.abstracts', coalesce(title, '')), 'A') || setweight(to_tsvector('public.abstracts', left(abstract, 50)), 'B')
         || setweight(to_tsvector('public.abstracts', substr(abstract, 40, 40)), 'C') || to_tsvector('public.abstracts', substr(abstract, 60)) AS doc FROM docs;
CREATE INDEX labels_doc_idx ON labels USING abstracts (doc) WITH (weights = '4,1.5,0.25,0', k1 = 0.7, b = 1);
SELECT ask('labels', 'doc');
ALTER INDEX labels_doc_idx SET (k1 = 0, b = 0);
SELECT ask('labels', 'doc');
UPDATE labels SET doc = strip(doc) WHERE id % 2 = 0;
SELECT ask('labels', 'doc');

-- partial index
CREATE INDEX labels_part_doc_idx ON labels USING abstracts (doc) WHERE year > 2010;
DROP INDEX labels_doc_idx;
SELECT agree('partial', $$SELECT id, doc <=> 'graph w3' AS d FROM labels WHERE year > 2010 ORDER BY doc <=> 'graph w3'$$);

-- partitions: weights of the whole table
CREATE TABLE parts (id int, year int, doc tsvector) PARTITION BY RANGE (year);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (2000) TO (2008);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (2008) TO (2020) PARTITION BY LIST (year);
CREATE TABLE parts_2a PARTITION OF parts_2 FOR VALUES IN (2008, 2010, 2012);
CREATE TABLE parts_2b PARTITION OF parts_2 DEFAULT;
CREATE TABLE parts_3 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT id, year, abstract_vector(title, abstract) FROM docs;
CREATE INDEX parts_doc_idx ON parts USING abstracts (doc);
SELECT ask('parts', 'doc');
CREATE TABLE whole AS SELECT * FROM parts;
CREATE INDEX whole_doc_idx ON whole USING abstracts (doc);
SELECT count(*) AS differ FROM
  (SELECT id, doc <=> 'graph "neural network" w3' AS d FROM parts EXCEPT ALL
   SELECT id, doc <=> 'graph "neural network" w3' FROM whole) s;

-- the distance the index hands out is that of its column, its query and its row
CREATE TABLE handed (id int PRIMARY KEY, title text, abstract text, n int) WITH (fillfactor = 50);
INSERT INTO handed SELECT id, title, abstract, 0 FROM docs WHERE title <> '' AND abstract <> '';
CREATE INDEX handed_doc_idx ON handed USING abstracts (abstract);
UPDATE handed SET n = 1 WHERE id % 3 = 0;	-- HOT: other versions of the rows
UPDATE handed SET title = abstract, abstract = title WHERE id % 7 = 0;
SELECT agree('another column', $$SELECT * FROM (SELECT id, title <=> abstract_query('graph w3', 'handed_doc_idx') AS d FROM handed
  ORDER BY abstract <=> abstract_query('graph w3', 'handed_doc_idx') OFFSET 0) s ORDER BY id$$);
SELECT agree('another query', $$SELECT * FROM (SELECT id, abstract <=> abstract_query('graph w5', 'handed_doc_idx') AS d FROM handed
  ORDER BY abstract <=> abstract_query('graph w3', 'handed_doc_idx') OFFSET 0) s ORDER BY id$$);
SELECT agree('versions', $$SELECT * FROM (SELECT id, abstract <=> 'graph w3' AS d FROM handed
  ORDER BY abstract <=> 'graph w3' OFFSET 0) s ORDER BY id$$);
SELECT agree('two scans', $$SELECT a.id * 10000 + b.id AS id, a.abstract <=> 'graph w3' AS d FROM
  (SELECT * FROM handed ORDER BY abstract <=> 'graph w3' LIMIT 7) b, LATERAL
  (SELECT * FROM handed h ORDER BY h.abstract <=> 'graph w3' LIMIT 5) a ORDER BY 2, 1$$);

-- several keys, and an order by another query than the condition
SELECT agree('two keys', $$SELECT id, doc <=> 'graph' AS d FROM whole ORDER BY doc <=> 'graph', doc <=> 'neural w5'$$);
SELECT agree('two keys, one a phrase', $$SELECT id, doc <=> 'graph' AS d FROM whole ORDER BY doc <=> 'graph', doc <=> '"neural network"'$$);
SELECT agree('two conditions', $$SELECT id, doc <=> 'w3' AS d FROM whole WHERE doc @~ 'graph' AND doc @~ 'neural -w7' ORDER BY doc <=> 'w3'$$);
SELECT agree('NULL query', $$SELECT id, doc <=> (SELECT NULL::abstract_query) AS d FROM whole ORDER BY doc <=> (SELECT NULL::abstract_query)$$);
SELECT agree('NULL condition', $$SELECT id, doc <=> 'graph' AS d FROM whole WHERE doc @~ (SELECT NULL::abstract_query) ORDER BY doc <=> 'graph'$$);
SELECT agree('bitmap', $$SELECT id, doc <=> 'graph w3' AS d FROM whole WHERE doc @~ '+graph w3' ORDER BY 2$$, 'bitmap');
SELECT agree('bitmaps', $$SELECT id, doc <=> 'graph w3' AS d FROM whole WHERE doc @~ '"graph detection"' OR doc @~ 'w5' ORDER BY 2$$, 'bitmap');

-- whole documents
SELECT agree('like', $$SELECT id, doc <~> (SELECT doc FROM whole w WHERE w.id = 50) AS d FROM whole ORDER BY doc <~> (SELECT doc FROM whole w WHERE w.id = 50)$$);
SELECT agree('like a text', $$SELECT id, abstract <~> 'graph neural detection of few-shot x-ray' AS d FROM docs ORDER BY abstract <~> 'graph neural detection of few-shot x-ray'$$);
SELECT agree('like, matching', $$SELECT id, doc <=> abstract_like('graph w3 w4') AS d FROM whole WHERE doc @~ abstract_like('graph w3 w4') ORDER BY doc <=> abstract_like('graph w3 w4')$$);
SELECT bool_and(abs(d - e) < 1e-12) AS symmetric, max(d) <= 1 AND min(d) >= 0 AS bounded FROM
  (SELECT a.doc <~> b.doc AS d, b.doc <~> a.doc AS e FROM whole a, whole b WHERE a.id < 40 AND b.id < 40) s;
SELECT max(doc <~> doc) AS itself FROM whole WHERE length(doc) > 0;

-- views, subqueries, CTEs, lateral joins, tables of queries
CREATE VIEW seen AS SELECT id, doc, year FROM whole WHERE year > 2003;
SELECT agree('view', $$SELECT id, doc <=> 'graph w3' AS d FROM seen ORDER BY doc <=> 'graph w3' LIMIT 30$$);
SELECT count(DISTINCT d) AS one FROM (
  SELECT doc <=> 'graph w3' AS d FROM whole WHERE id = 5 UNION ALL
  SELECT doc <=> 'graph w3' FROM (SELECT * FROM whole OFFSET 0) s WHERE id = 5 UNION ALL
  SELECT x.doc <=> 'graph w3' FROM (WITH c AS MATERIALIZED (SELECT * FROM whole) SELECT * FROM c) x WHERE id = 5 UNION ALL
  SELECT -abstract_score(doc, 'graph w3') FROM whole WHERE id = 5) s;
WITH c AS MATERIALIZED (SELECT * FROM whole) SELECT count(*) FROM c, whole w WHERE c.id = w.id AND c.doc <=> 'graph w3' <> w.doc <=> 'graph w3';
SELECT agree('lateral', $$SELECT near.id, near.d FROM (VALUES (50), (60)) v(i), LATERAL
  (SELECT id, doc <~> (SELECT doc FROM whole w WHERE w.id = v.i) AS d FROM whole
    ORDER BY doc <~> (SELECT doc FROM whole w WHERE w.id = v.i) LIMIT 5) near$$);
CREATE TABLE stored AS SELECT n, q::abstract_query AS query FROM questions;
SELECT agree('stored queries', $$SELECT hit.id, hit.d FROM stored s, LATERAL
  (SELECT id, doc <=> s.query AS d FROM whole WHERE doc @~ s.query ORDER BY doc <=> s.query LIMIT 3) hit ORDER BY s.n, hit.d$$);

-- prepared, with a generic plan; the weights are those of the moment
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_sort = off;
PREPARE best(text) AS SELECT id, doc <=> $1 AS d FROM whole WHERE doc @~ $1 ORDER BY doc <=> $1 LIMIT 3;
EXPLAIN (COSTS OFF) EXECUTE best('graph w3');
CREATE TABLE before AS SELECT id, doc <=> 'graph w3' AS d FROM whole WHERE doc @~ 'graph w3' ORDER BY doc <=> 'graph w3' LIMIT 3;
EXECUTE best('zzz');
INSERT INTO whole SELECT 2000 + i, 2025, 'graph:1' FROM generate_series(1, 50) i;
CREATE TABLE after AS EXECUTE best('graph w3');
SELECT (SELECT array_agg(d) FROM before) <> (SELECT array_agg(d) FROM after) AS fresh_weights;
-- a query that reads the text by another configuration than the index: slow, but right
PREPARE other(abstract_query) AS SELECT id, abstract <=> $1 AS d FROM docs WHERE abstract @~ $1 ORDER BY abstract <=> $1 LIMIT 200;
EXPLAIN (COSTS OFF) EXECUTE other('x');
CREATE TABLE by_index AS EXECUTE other(abstract_query('"neural network" llms', '{"n": 9, "config": "public.abstracts"}'));
RESET enable_seqscan;
RESET enable_sort;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
DEALLOCATE other;
PREPARE other(abstract_query) AS SELECT id, abstract <=> $1 AS d FROM docs WHERE abstract @~ $1 ORDER BY abstract <=> $1 LIMIT 200;
CREATE TABLE by_table AS EXECUTE other(abstract_query('"neural network" llms', '{"n": 9, "config": "public.abstracts"}'));
SELECT (SELECT array_agg(d) FROM by_index) = (SELECT array_agg(d) FROM by_table) AS same, (SELECT count(*) FROM by_index) AS rows;
RESET enable_indexscan;
RESET enable_bitmapscan;
RESET plan_cache_mode;
RESET enable_seqscan;
RESET enable_sort;

-- bound queries mean the same wherever they are
SELECT count(*) AS differ FROM whole w, abstract_query('graph w3 "neural network"', 'whole_doc_idx') q
 WHERE (w.doc <=> q) IS DISTINCT FROM (w.doc <=> (q::text)::abstract_query)
    OR (w.doc <=> q) IS DISTINCT FROM (w.doc <=> 'graph w3 "neural network"');

DROP SCHEMA plans CASCADE;
