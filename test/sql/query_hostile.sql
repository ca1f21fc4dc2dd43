--
-- No text is an error, and no bytes are more than one.
--
CREATE SCHEMA query_hostile;
SET search_path = query_hostile, public;

-- how many terms a text has as a query, whether it matches and scores finitely
CREATE FUNCTION try(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v abstract_query := abstract_query(q);
    d tsvector := abstract_vector('graph', 'deep graph networks, x and y');
    s float8 := abstract_score(d, v);
BEGIN
    IF v::text::abstract_query::text <> v::text THEN
        RETURN 'read back as another';
    END IF;
    RETURN CASE WHEN s >= 0 AND s < 1e9 AND (s = 0 OR d @~ v) THEN 'ok' ELSE s::text END;
END $$;

SELECT q, try(q) FROM unnest(ARRAY[
    '', ' ', '"', '""', '"""', '(', ')', '()', '(()', '())', '+', '-', '+-', '-+',
    '++', '--', '+(', '-(', '+()', '-()', '+"', '-"', '+""', 'AND', 'OR', 'NOT',
    'AND AND', 'OR OR OR', 'NOT NOT NOT', 'a AND', 'AND a', 'a AND AND b',
    'a OR AND b', 'NOT )', '( AND )', '(a AND) OR b', 'a AND (', 'a OR )', '+NOT a',
    '-NOT a', '+-a', '(+a -b', '"a (b" c)', 'a"b"c', '''', '\', '%', '_', '*', '~',
    'a~2', 'a*', '^', 'a^2', 'ti:a', ':', '=', '@', '&', '|', '!', '<->', 'a <-> b',
    '{}', '[]', '<b>graph</b>', '$x$', '$', '\textbf{graph', '&amp;', '“', '”a“', '„',
    E'\t\r\n', E'a\u00a0b', E'\u200b', E'\ufeffgraph', E'\u202e', '😀', '-😀', '+é'
    ]) q WHERE try(q) <> 'ok';

-- many of everything
SELECT what, n, try(repeat(what, n)) FROM unnest(ARRAY[
    '(', ')', '"', '+', '-', '+(', '-(', 'NOT ', 'AND ', 'OR ', '(NOT ', 'a AND (',
    'a OR (', '+a ', '-a ', '"a" ', '"a b', '(a ', ' a)', '()', 'a-', 'a/b ', 'x AND ',
    'x AND y OR ', 'NOT x OR ', '“x” ', '+(x -(y ']) what, unnest(ARRAY[1000, 100000]) n
 WHERE try(repeat(what, n)) <> 'ok';
-- nested deeper than is followed: what is inside still counts
SELECT 'x'::tsvector @~ abstract_query(repeat('(', n) || 'x' || repeat(')', m),
                                       '{"n": 1, "config": "simple"}') AS found
  FROM (VALUES (10, 10), (64, 64), (65, 65), (1000, 1000), (1000, 0), (0, 1000),
        (100000, 99999)) v(n, m);
-- and groups close where they should
SELECT substring(abstract_query(repeat('(', 70) || 'x' || repeat(')', 70) || ' AND y',
                 '{"n": 1, "config": "simple"}')::text from 'plan.*\*/') AS plan;

-- megabytes: words, one word, a phrase, operators; each is read, none refused
SELECT what, abstract_score('graph:1 deep:2'::tsvector, t) BETWEEN 0 AND 1e7 AS ok FROM (VALUES
    ('words', (SELECT string_agg('graph' || i % 1000, ' ') FROM generate_series(1, 1200000) i)),
    ('one word', repeat('x', 10000000)),
    ('compound', repeat('ab-', 700000)),
    ('phrase', '"' || repeat('deep graph ', 200000) || '"'),
    ('operators', repeat('a AND b OR -c ', 700000)),
    ('groups', repeat('(a +b) ', 300000))) v(what, t);
-- as a document; only the NOTICE of a document too long is left out
SET client_min_messages = warning;
SELECT round(('graph nets'::text <=> abstract_like(t))::numeric, 3) AS distance
  FROM (SELECT repeat('graph nets of many layers ', 400000) AS t) s;
SET client_min_messages = notice;

-- notes that nobody printed are words
CREATE FUNCTION is_words(q text) RETURNS boolean LANGUAGE sql AS $$
    SELECT abstract_query(q)::text = q || CASE WHEN q LIKE '%*/'
        THEN ' /*abstract_query 1 search*/' ELSE '' END AND try(q) = 'ok'
$$;
CREATE TABLE notes AS SELECT * FROM (VALUES
    ('search', '''a'':1 ''b'':0 plan |(0 1)'),
    ('search', '''a'':1 ''b'':0 plan &(0^2.5 !(1))'),
    ('search', '''a'':1 ''b'':0 plan "(|(0 1)@0 1@3)')) v(kind, rest);
CREATE FUNCTION note(rest text, corpus text DEFAULT
    'config ''simple'' k1 1.2 b 0.75 weights 1,1,1,1 n 5 lengths 1,2,3,4')
RETURNS text LANGUAGE sql AS $$
    SELECT 'a b /*abstract_query 1 search ' || corpus || ' terms ' || rest || '*/'
$$;
SELECT rest, is_words(note(rest)) FROM notes;
SELECT rest FROM unnest(ARRAY[
    '''a'':1 plan', '''a'':1 plan ', '''a'':1 plan |()', '''a'':1 plan |(0',
    '''a'':1 plan |(0))', '''a'':1 plan 1', '''a'':1 plan |(0 4294967296)',
    '''a'':1 plan !(0 0)', '''a'':1 plan "(0)', '''a'':1 plan "(0@0 &(0)@1)',
    '''a'':1 plan "(|("(0@0))@0)', '''a'':1 plan "(0@70000)', '''a'':1 plan |(0@1)',
    '''a'':1 plan |(0^0)', '''a'':1 plan |(0^-1)', '''a'':1 plan |(0^1e300)',
    '''a'':1 plan |(0^)', '''a'':1 plan #(0)', '''a'':6 plan |(0)', '''a'':-1 plan |(0)',
    '''a'':nan plan |(0)', '''a'':1:1,0,0,0 plan |(0)', '''b'':1 ''a'':1 plan |(0)',
    '''a'':1 ''a'':1 plan |(0)', '''a'' plan |(0)', '''a plan |(0)', '''a\', '',
    '''a'':1 plan |(0) ', '''a'':1  plan |(0)', '''a'':1', '''' || repeat('a', 256) || ''':1 plan |(0)',
    '''a'':1 plan ' || repeat('|(', 600) || '0' || repeat(')', 600),
    '''a'':1 plan ' || repeat('!(', 100000) || '0' || repeat(')', 100000)]) rest
 WHERE NOT is_words(note(rest));
SELECT corpus FROM unnest(ARRAY[
    'config '''' k1 1.2 b 0.75 weights 1,1,1,1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 -1 b 0.75 weights 1,1,1,1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 2 weights 1,1,1,1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 0 weights 1,1,1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 0 weights 1,1,1,-1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 0 weights 1,1,1,1 n -5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 0 weights 1,1,1,1 n 1e999 lengths 1,2,3,4',
    'config ''s'' k1 inf b 0 weights 1,1,1,1 n 5 lengths 1,2,3,4',
    'config ''s'' k1 1 b 0 weights 1,1,1,1 n 5 lengths 1,2,3,4,5',
    'config ''s'' b 0 k1 1 weights 1,1,1,1 n 5 lengths 1,2,3,4']) corpus
 WHERE NOT is_words(note('''a'':1 plan |(0)', corpus));

-- a note with one byte changed, left out or doubled: words, or a valid value
SELECT count(*) AS tried, count(*) FILTER (WHERE result <> 'ok') AS failed
  FROM notes, LATERAL (SELECT note(rest) AS n) n, generate_series(5, length(n)) i,
    LATERAL (SELECT left(n, i - 1) || r || substr(n, i + 1) AS changed
               FROM unnest(ARRAY['', '9', '-', ' ', '(', ')', '''', '\', '|', '"', 'e',
                           repeat(substr(n, i, 1), 2)]) r) c,
    LATERAL (SELECT try(changed) AS result) t;

-- binary: what is no value is refused (signature, header, one field)
CREATE TABLE received (q abstract_query);
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\007\\001\\000graph\\377\\377"' with (format binary)
SELECT q FROM received;
-- no bytes, another version, no flag, a flag that is none, a note that is not
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\000\\377\\377"' with (format binary)
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\007\\002\\000graph\\377\\377"' with (format binary)
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\001\\001\\377\\377"' with (format binary)
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\007\\001\\002graph\\377\\377"' with (format binary)
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\007\\001\\001graph\\377\\377"' with (format binary)
-- bytes that are no text
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\004\\001\\000\\377\\376\\377\\377"' with (format binary)
\copy received from program 'printf "PGCOPY\\012\\377\\015\\012\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\004\\001\\000a\\000\\377\\377"' with (format binary)

SET client_min_messages = warning;
DROP SCHEMA query_hostile CASCADE;
