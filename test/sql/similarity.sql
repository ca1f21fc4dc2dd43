--
-- Similarity of documents, against the formula written in plain SQL.
--
CREATE SCHEMA similarity;
SET search_path = similarity, public;

CREATE TABLE docs (id int PRIMARY KEY, doc tsvector);
INSERT INTO docs
SELECT d, (SELECT string_agg(format('%s:%s%s', word, pos, label), ' ')::tsvector
             FROM (SELECT 'w' || 1 + floor(30 * power(
                        abs(hashint4(d * 1000 + pos)::numeric) / 2147483648, 2)) AS word,
                    pos, substr('ABCD', 1 + abs(hashint4(d * 77 + pos / 9)) % 4, 1) AS label
                   FROM generate_series(1, 3 + abs(hashint4(d)) % 50) pos) w)
  FROM generate_series(1, 60) d;
INSERT INTO docs VALUES (61, 'w1 w2 w3'), (62, ''), (63, 'w1:1A w2 w9'), (64, 'other'),
    (65, 'w1:1A,2A w2:3A w9:4B'), (66, 'w1:4C,5D w2:1B w9:2');

CREATE TABLE terms AS
    SELECT id, lexeme, 1 + ln(greatest(coalesce(cardinality(positions), 1), 1)::float8) AS f
      FROM docs, unnest(doc);

-- w and m: weight of a shared term, and of one that is not
CREATE FUNCTION expected(w jsonb, m float8)
RETURNS TABLE (a int, b int, sim float8) LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN QUERY
    WITH norms AS MATERIALIZED (SELECT id, coalesce(sum(f * f), 0) AS norm
                     FROM docs LEFT JOIN terms USING (id) GROUP BY id),
    shared AS MATERIALIZED (
        SELECT x.id AS a, y.id AS b, sum(wt * x.f * y.f) AS dot,
               sum((wt - m) * x.f * x.f) AS own_a, sum((wt - m) * y.f * y.f) AS own_b
          FROM terms x JOIN terms y USING (lexeme),
               LATERAL (SELECT coalesce((w ->> lexeme)::float8, 1) AS wt) t
         GROUP BY x.id, y.id)
    SELECT x.id, y.id, coalesce(dot / sqrt((m * x.norm + own_a) * (m * y.norm + own_b)), 0)
      FROM norms x CROSS JOIN norms y LEFT JOIN shared s ON s.a = x.id AND s.b = y.id;
END $$;
ANALYZE;

-- without a corpus; norms are kept in float4, hence the allowance
SELECT count(*) AS pairs, count(*) FILTER (WHERE sim > 0) AS positive,
       max(abs(sim - abstract_similarity(x.doc, y.doc))) < 1e-7 AS equal,
       max(abs(sim - abstract_score(x.doc, abstract_like(y.doc)))) < 1e-7 AS like_equal,
       max(abs(1 - sim - (x.doc <~> y.doc))) < 1e-7 AS operator_equal
  FROM expected('{}', 1) e JOIN docs x ON x.id = a JOIN docs y ON y.id = b;

-- to the last bit: symmetric, in [0, 1], 1 with itself, the same by LIKE
SELECT count(*) FILTER (WHERE x.doc <~> y.doc <> y.doc <~> x.doc) AS not_symmetric,
       count(*) FILTER (WHERE NOT x.doc <~> y.doc BETWEEN 0 AND 1) AS outside,
       count(*) FILTER (WHERE (x.doc <~> y.doc = 0) <> (x.id = y.id AND x.id <> 62
            OR x.id + y.id = 65 + 66 AND x.id <> y.id)) AS not_itself,
       count(*) FILTER (WHERE x.doc <~> y.doc <> (x.doc <=> abstract_like(y.doc))) AS by_like,
       count(*) FILTER (WHERE 1 - abstract_similarity(x.doc, y.doc) <> x.doc <~> y.doc) AS by_function,
       count(*) FILTER (WHERE (x.doc @~ abstract_like(y.doc)) <> (x.doc <~> y.doc < 1)) AS by_match
  FROM docs x, docs y;

-- with a corpus: a bound LIKE, made by way of its text
CREATE FUNCTION bound_like(vector tsvector, n int, df jsonb) RETURNS abstract_query
LANGUAGE sql IMMUTABLE AS $$
    SELECT (format('/*abstract_query 1 like config ''pg_catalog.simple'' k1 1.2 b 0.75 '
        'weights 1,1,1,1 n %s lengths 0,0,0,0 ', n) ||
        (regexp_match(abstract_like(vector)::text, 'norm [^ ]* terms'))[1] ||
        coalesce((SELECT string_agg(format(' ''%s'':%s:%s', m[1], coalesce(df ->> m[1], '0'), m[2]),
                                    '' ORDER BY m[1] COLLATE "C")
           FROM regexp_matches(abstract_like(vector)::text, '''(\w+)'':([0-9,]+)', 'g') m), '')
        || '*/')::abstract_query
$$;
SELECT bound_like('b:1A,2 a:3', 10, '{"a": 3}');
WITH df AS (SELECT jsonb_object_agg(lexeme, df) AS df, jsonb_object_agg(lexeme,
                ln(1 + (66 - df + 0.5) / (df + 0.5))) AS w
              FROM (SELECT lexeme, count(*) AS df FROM terms GROUP BY lexeme) t)
SELECT max(abs(sim - abstract_score(x.doc, q))) < 1e-7 AS equal,
       count(*) FILTER (WHERE abstract_score(x.doc, q) <>
            abstract_score(y.doc, bound_like(x.doc, 66, df))) AS not_symmetric,
       count(*) FILTER (WHERE NOT abstract_score(x.doc, q) BETWEEN 0 AND 1) AS outside,
       count(*) FILTER (WHERE x.id = y.id AND x.id <> 62 AND abstract_score(x.doc, q) <> 1) AS not_itself
  FROM df, LATERAL expected(w, ln(1 + (66 + 0.5) / 0.5) / 2)
  JOIN docs x ON x.id = a JOIN docs y ON y.id = b,
  LATERAL (SELECT bound_like(y.doc, 66, df) AS q) q
 WHERE x.id % 3 = 0 AND y.id % 2 = 0;

-- texts: read by the default configuration
SELECT abstract_similarity('Graphs of neurons', 'a neuron graph') AS same,
       'graph' <~> 'network' AS nothing,
       round(('graph neural networks' <~> 'graph transformers')::numeric, 6) AS some,
       'graph'::varchar <~> 'graphs'::text AS equal;
SELECT round(('deep graph nets'::text <=> abstract_like('graph nets'))::numeric, 6) AS q,
       round(('deep graph nets' <~> 'graph nets')::numeric, 6) AS o;
-- nothing is like nothing
SELECT ''::tsvector <~> ''::tsvector AS empty, 'the' <~> 'the' AS stop_words,
       'a'::tsvector @~ abstract_like(''::tsvector) AS matches;
-- frequencies in whatever field count alike
SELECT 'a:1A,2A b:3'::tsvector <~> 'a:1B,7C b:3D'::tsvector AS labels;
-- long lexemes stand for their beginning
SELECT (repeat('x', 300) || ':1')::tsvector <~> (repeat('x', 400) || ':1')::tsvector AS long,
       (repeat('x', 300) || ':1')::tsvector <=> abstract_like((repeat('x', 400) || ':1')::tsvector) AS like_long;
SELECT NULL::tsvector <~> 'a'::tsvector IS NULL AS n;

SET client_min_messages = warning;
DROP SCHEMA similarity CASCADE;
