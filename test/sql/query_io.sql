--
-- The type abstract_query: what is read, what is written, and that reading
-- what was written gives the same value.
--
CREATE SCHEMA query_io;
SET search_path = query_io, public;

-- How a text is understood: the plan after binding to a corpus of 10.
-- A number is a term; | & ! ? " are OR, AND, NOT, OPT and PHRASE.
CREATE FUNCTION reading(q text, terms jsonb DEFAULT '{}') RETURNS text
LANGUAGE sql AS $$
    SELECT substring(abstract_query(q, jsonb_build_object('n', 10,
        'terms', terms))::text from ' terms ?(.*)\*/$')
$$;

-- words
SELECT q, reading(q) FROM unnest(ARRAY[
    'graph', 'graph network', 'network graph', 'graph graph networks',
    'the graph of the networks', 'the of', '', '   ', E'graph\n\tnetwork'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- operators and their precedence
SELECT q, reading(q) FROM unnest(ARRAY[
    'graph AND network', 'graph OR network', 'NOT graph', 'graph NOT network',
    'graph OR network AND deep', 'graph AND network OR deep',
    '(graph OR network) AND deep', 'deep graph AND network',
    'NOT graph AND network', 'NOT (graph OR network)', 'NOT NOT graph',
    'NOT graph NOT network', 'graph and network or not deep',
    '((graph))', '(graph network) deep', 'graph AND (network deep)',
    'graph AND(network)', 'NOT(graph)'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- required and excluded words
SELECT q, reading(q) FROM unnest(ARRAY[
    '+graph', '+graph network', '+graph +network', '-graph', 'graph -network',
    '+graph -network deep', '+(graph network)', '-(graph network)',
    '+"graph network"', '-"graph network"', '+graph AND network deep',
    '+the graph', '-the graph', '+the -graph', '-graph -network', '--graph'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- phrases; stop words leave a gap
SELECT q, reading(q) FROM unnest(ARRAY[
    '"graph network"', '“graph network”', '„graph network“', '"graph"',
    '"graph of the networks"', '"the graph network"', '""', '"the"',
    'deep "graph network" deep', '"graph network""deep"', '"graph +network"',
    '"graph AND network"', '"graph graph"'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- no operator, so a word: signs before digits, inside of words, alone
SELECT q, reading(q) FROM unnest(ARRAY[
    '-3.2', '+5', 'C++', 'g-2', 'pkg-config', '-', '+', '- graph', 'graph -',
    'two''s', 'AND', 'OR', 'NOT', 'OR 2.3', 'graph AND', 'AND graph',
    'graph AND OR network', 'graph NOT', 'NOT AND graph', '(AND)',
    '+AND', 'O(n log n)', 'f(x)', 'graph)', '(graph', ')(', '((((',
    '"graph network', 'graph" network', '5" pipe', 'ANDROID', 'graph ANDOR deep'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- forms of a word: variants and glue stay where the corpus has them
SELECT reading('adas', '{"adas": 1}'), reading('ADAS', '{"adas": 1}');
SELECT reading('gnns', '{"gnn": 2}');
SELECT reading('time-mode', '{"timemode": 1, "time": 4}');
SELECT reading('RES-NETS', '{"resnets": 1}');
SELECT reading('hyper network', '{"hypernetwork": 3}');
SELECT reading('med scout', '{"medscout": 1}');
SELECT reading('IL 6', '{"il6": 1}');
SELECT reading('IL-6'), reading('IL-6', '{"il": 2, "6": 3}');
SELECT reading('u-net', '{"u": 1, "net": 2, "unet": 1}');
SELECT reading('multi-hop'), reading('+multi-hop'), reading('"multi-hop question"');
SELECT reading('a-b AND c-d');
-- neighbours are glued only without an operator or stop word in between
SELECT reading('hyper OR network', '{"hypernetwork": 3}'),
       reading('hyper the network', '{"hypernetwork": 3}'),
       reading('+hyper network', '{"hypernetwork": 3}');
-- a configuration over another parser is taken at its word
SELECT abstract_query('graphs adas few-shot',
    '{"n": 9, "config": "pg_catalog.simple", "terms": {"graph": 3, "ada": 1}}');

-- printing
SELECT abstract_query('graph "neural nets" -deep');
SELECT 'graph'::abstract_query, 'graph'::text::abstract_query;
SELECT abstract_like('few graphs of graphs');
SELECT abstract_like(abstract_vector('graph', 'graphs / it''s \ nets'));
SELECT abstract_query('graph nets', '{"n": 19, "k1": 0.9, "b": 0.4,
    "weights": [2, 1, 0.5, 0.1], "lengths": [100, 2000, 0, 0.5],
    "terms": {"graph": 3, "net": 0.25}}');

-- writing and reading give the same value
CREATE TABLE queries (i serial, q abstract_query);
INSERT INTO queries(q) SELECT abstract_query(s) FROM unnest(ARRAY[
    '', ' ', 'graph', ' graph  ', 'ends as a note */', '/*abstract_query 1 */',
    'x /*abstract_query 1 search*/ ', '/*abstract_query 1 nonsense*/',
    'it''s a \ "backslash"']) s;
INSERT INTO queries(q) SELECT abstract_query(s, st::jsonb) FROM unnest(ARRAY[
    '', 'graph', 'graph graph nets', '+few-shot "deep learning" -(a b) OR x',
    'ends as a note */', 'x /*y*/ ''z/w'' mRNA/protein']) s,
    unnest(ARRAY['{"n": 0}', '{"n": 7, "k1": 0.1, "b": 0.3,
    "lengths": [1e10, 0.1, 3, 123456789], "terms": {"graph": 0.3333333333333333}}']) st;
INSERT INTO queries(q) SELECT abstract_like(s) FROM unnest(ARRAY['', 'a graph', '*/']) s;
INSERT INTO queries(q) VALUES (abstract_like(''::tsvector)), (abstract_like(
    $$'a/*':1A,2B 'b''c':3 '\\x':4C '*/':5 'stripped'$$::tsvector));
SELECT count(*), count(*) FILTER (WHERE q::text::abstract_query::text = q::text
    AND abstract_query_send(q::text::abstract_query) = abstract_query_send(q))
    AS same FROM queries;
SELECT i, q FROM queries WHERE i IN (5, 6, 7, 8) ORDER BY i;
-- the text of one value, whoever typed it, is that value
SELECT q FROM (SELECT abstract_query('x /*abstract_query 1 search*/') q) s;
SELECT abstract_query('x /*abstract_query 1 like*/');

-- in binary
\copy queries to 'results/query_io.bin' with (format binary)
CREATE TABLE again (LIKE queries);
\copy again from 'results/query_io.bin' with (format binary)
SELECT count(*), count(*) FILTER (WHERE a.q::text = q.q::text) AS same
  FROM queries q JOIN again a USING (i);

-- a bound value needs no catalog: scores are kept to the last bit
SELECT count(*) FROM queries q,
    LATERAL (SELECT q.q::text::abstract_query AS r) s,
    (VALUES (abstract_vector('graph', 'few-shot graph nets, deep learning x'))) d(v)
 WHERE v <=> q.q IS DISTINCT FROM v <=> r OR v @~ q.q IS DISTINCT FROM v @~ r;

-- statistics that cannot be
SELECT abstract_query('graph', '[]');
SELECT abstract_query('graph', '{}');
SELECT abstract_query('graph', '{"n": -1}');
SELECT abstract_query('graph', '{"n": "many"}');
SELECT abstract_query('graph', '{"n": 5, "documents": 5}');
SELECT abstract_query('graph', '{"n": 5, "k1": -1}');
SELECT abstract_query('graph', '{"n": 5, "b": 1.5}');
SELECT abstract_query('graph', '{"n": 5, "weights": [1, 2]}');
SELECT abstract_query('graph', '{"n": 5, "lengths": 7}');
SELECT abstract_query('graph', '{"n": 5, "terms": [1]}');
SELECT abstract_query('graph', '{"n": 5, "terms": {"graph": 6}}');
SELECT abstract_query('graph', '{"n": 5, "terms": {"graph": null}}');
SELECT abstract_query('graph', '{"n": 5, "config": "nowhere.nothing"}');
SELECT abstract_query('graph', '{"n": 5, "config": 3}');

-- NULL
SELECT abstract_query(NULL) IS NULL, abstract_query('x', NULL) IS NULL,
       abstract_like(NULL::text) IS NULL;

SET client_min_messages = warning;
DROP SCHEMA query_io CASCADE;
