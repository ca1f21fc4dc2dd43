-- What goes wrong says so, with a hint, and leaves everything as it was.
CREATE SCHEMA bad;
SET search_path = bad, public;
\set VERBOSITY default

-- options
CREATE TABLE t (id int, body text, doc tsvector);
CREATE INDEX ON t USING abstracts (doc) WITH (k1 = -1);
CREATE INDEX ON t USING abstracts (doc) WITH (k1 = 'much');
CREATE INDEX ON t USING abstracts (doc) WITH (b = 2);
CREATE INDEX ON t USING abstracts (doc) WITH (weights = '1,2');
CREATE INDEX ON t USING abstracts (doc) WITH (weights = '1,2,3,-4');
CREATE INDEX ON t USING abstracts (doc) WITH (weights = 'a,b,c,d');
CREATE INDEX ON t USING abstracts (body) WITH (config = 'klingon');
CREATE INDEX ON t USING abstracts (body) WITH (config = 'bad.klingon');
CREATE INDEX ON t USING abstracts (doc) WITH (fillfactor = 90);
-- columns
CREATE INDEX ON t USING abstracts (id);
CREATE INDEX ON t USING abstracts (doc, body);
CREATE UNIQUE INDEX ON t USING abstracts (doc);
CREATE INDEX ON t USING abstracts (doc DESC);
CREATE INDEX ON t USING abstracts (doc) INCLUDE (id);

-- objects that are no abstracts index
CREATE INDEX t_id ON t (id);
CREATE INDEX t_doc ON t USING abstracts (doc);
SELECT abstracts_flush('t_id');
SELECT abstracts_merge('t');
SELECT abstracts_check('t_id', true);
SELECT abstracts_stats('t');
SELECT abstract_query('x', 't_id'::regclass);
SELECT abstract_query('x', 0::regclass);
SELECT abstract_query('x', 4000000000::regclass);
SELECT abstracts_check(0::regclass);
SELECT abstract_query('x', 'no_such_index');
SELECT abstracts_flush(NULL) IS NULL AS null_in_null_out;

-- statistics
SELECT abstract_query('x', '{"n": 1, "k1": -1}');
SELECT abstract_query('x', '{"n": 1');
SELECT abstract_query('x', '{}');

-- NULL, empty, odd
SELECT NULL::tsvector @~ 'x' AS a, ''::tsvector @~ NULL AS b, (NULL::text <=> 'x') IS NULL AS c,
       ''::tsvector <=> '' AS d, ''::text @~ 'x' AS e, ''::tsvector <~> ''::tsvector AS f;
INSERT INTO t VALUES (1, NULL, NULL), (2, '', ''), (3, 'graph', 'graph:1');
SET enable_seqscan = off;
SELECT id, doc <=> 'graph' AS d FROM t ORDER BY doc <=> 'graph';
SELECT id FROM t WHERE doc @~ NULL;
SELECT id FROM t WHERE doc @~ '';
SELECT count(*) FROM t WHERE doc @~ '-zzz';
RESET enable_seqscan;

-- as long as it gets: a document, a query, a word, parentheses
SET client_min_messages = error;
CREATE INDEX t_body ON t USING abstracts (body);
INSERT INTO t (id, body) SELECT 4, string_agg('word' || i, ' ') FROM generate_series(1, 900000) i;
INSERT INTO t (id, body) VALUES (5, repeat('graph ', 1700000)), (6, repeat('x', 10000000)), (7, repeat('((', 5000000));
SELECT id, length(body) > 9000000 AS long, body @~ 'graph' AS graph, body @~ 'word17' AS word FROM t WHERE id > 3 ORDER BY id;
SELECT abstracts_check('t_body', true);
SELECT id FROM t WHERE body @~ (SELECT body FROM t WHERE id = 5)::abstract_query ORDER BY id;
SELECT count(*) FROM t WHERE body @~ (repeat('(', 100000) || 'graph' || repeat(')', 100000))::abstract_query;
SELECT id FROM t WHERE body @~ repeat('x', 10000000)::abstract_query;
SET enable_seqscan = off;
SELECT id FROM t WHERE id = 6 AND body <~> (SELECT body FROM t WHERE id = 6) = 0;
RESET enable_seqscan;
RESET client_min_messages;

-- what looks like statistics but is none
SELECT 'x /*abstract_query 1 search config*/'::abstract_query AS words;
SELECT 'x /*abstract_query 1 search config ''public.abstracts'' k1 1e999 b 0 weights 1,1,1,1 n 1 lengths 0,0,0,0 terms ''x'':1 plan |(9)*/'::abstract_query::text ~ '^x' AS read;

-- an index that goes away under a prepared statement
PREPARE p AS SELECT count(*) FROM t WHERE doc @~ 'graph';
EXECUTE p;
DROP INDEX t_doc;
EXECUTE p;
ALTER TABLE t DROP COLUMN doc;
EXECUTE p;

DROP SCHEMA bad CASCADE;
