--
-- Scores against a BM25F written here in plain SQL, from what unnest(tsvector)
-- shows: nothing of the extension takes part in the expected figures.
--
CREATE SCHEMA bm25;
SET search_path = bm25, public;

CREATE TABLE docs (id int PRIMARY KEY, doc tsvector);
-- 200 documents over 40 words w1 .. w40, small numbers being frequent, in the
-- four fields, of very different lengths
INSERT INTO docs
SELECT d, (SELECT string_agg(format('%s:%s%s', word, pos, label), ' ')::tsvector
             FROM (SELECT 'w' || 1 + floor(40 * power(
                        abs(hashint4(d * 1000 + pos)::numeric) / 2147483648, 2.5)) AS word,
                    pos, substr('ABCD', 1 + abs(hashint4(d * 77 + pos / 9)) % 4, 1) AS label
                   FROM generate_series(1, 1 + abs(hashint4(d)) % 120) pos) w)
  FROM generate_series(1, 200) d;
-- and some of another kind: without positions, very frequent words, nothing
INSERT INTO docs VALUES (201, 'w1 w2 w3'), (202, ''), (203, 'w1:1A w2 w9'),
    (204, (SELECT string_agg('w5:' || i, ' ')::tsvector FROM generate_series(1, 400) i)),
    (205, 'other:1');

CREATE TABLE postings AS
    SELECT id, lexeme, coalesce(label, 'D') AS label,
           least(count(*), 255)::float8 AS tf
      FROM docs, unnest(doc), LATERAL (
        SELECT unnest(weights) AS label WHERE weights IS NOT NULL
        UNION ALL SELECT NULL WHERE weights IS NULL) l
     GROUP BY id, lexeme, label;

CREATE TABLE params (name text, k1 float8, b float8, weights float8[]);
INSERT INTO params VALUES ('default', 1.2, 0.75, '{1,1,1,1}'),
    ('fields', 0.9, 0.4, '{3,1,0.5,0.25}'), ('no length', 1.2, 0, '{1,1,1,1}'),
    ('no saturation', 0, 0.75, '{1,1,1,1}'), ('title only', 1.2, 0.75, '{1,0,0,0}'),
    ('nothing', 1.2, 0.75, '{0,0,0,0}'), ('all length', 2, 1, '{1,2,1,1}');

-- the corpus's figures, as another database would be told them
CREATE FUNCTION stats(p params) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('config', 'pg_catalog.simple',
        'k1', p.k1, 'b', p.b, 'weights', p.weights,
        'n', (SELECT count(*) FROM docs),
        'lengths', (SELECT array_agg(coalesce(total, 0) ORDER BY l)
                      FROM unnest(ARRAY['A','B','C','D']) l
                      LEFT JOIN (SELECT label, sum(tf) AS total FROM postings
                                  GROUP BY label) s ON l = label),
        'terms', (SELECT jsonb_object_agg(lexeme, df) FROM (
                    SELECT lexeme, count(DISTINCT id) AS df
                      FROM postings GROUP BY lexeme) t))
$$;

-- the part of every word in every document's score
CREATE TABLE parts AS
    WITH weighted AS (
        SELECT p.name, id, lexeme, sum(tf * weights[ascii(label) - 64]) AS wtf
          FROM params p, postings GROUP BY p.name, id, lexeme),
    len AS (SELECT p.name, d.id, coalesce(sum(wtf), 0) AS wlen
              FROM params p CROSS JOIN docs d LEFT JOIN weighted w
                ON w.name = p.name AND w.id = d.id GROUP BY p.name, d.id),
    mean AS (SELECT name, sum(wlen) / count(*) AS avglen, count(*)::float8 AS n
               FROM len GROUP BY name),
    df AS (SELECT lexeme, count(DISTINCT id)::float8 AS df
             FROM postings GROUP BY lexeme)
    SELECT name, id, lexeme, coalesce(ln(1 + (n - df + 0.5) / (df + 0.5)) * wtf / nullif(
             wtf + k1 * CASE WHEN avglen > 0
                        THEN 1 - b + b * wlen / avglen ELSE 1 END, 0), 0) AS part
      FROM params JOIN weighted USING (name) JOIN len USING (name, id)
      JOIN mean USING (name) JOIN df USING (lexeme);

CREATE TABLE queries AS
    SELECT name, text, abstract_query(text, stats(p)) AS q,
           regexp_split_to_array(regexp_replace(text, '[()]', '', 'g'), ' ') AS words
      FROM params p, unnest(ARRAY['w1', 'w2 w40', 'w1 w2 w3 w4 w5 w6', 'w7 w7 w7 w8',
           'w33 w39', 'absent', 'w1 absent w30', '(w3) w3 (w9 w12)']) text;
ANALYZE;

WITH expected AS (
    SELECT name, text, id, sum(part) AS score
      FROM queries CROSS JOIN unnest(words) word JOIN parts p USING (name)
     WHERE lexeme = word GROUP BY name, text, id)
SELECT name, count(*) AS scores, count(*) FILTER (WHERE score > 0) AS positive,
       max(abs(coalesce(score, 0) - abstract_score(doc, q)) /
           greatest(score, 1)) < 1e-12 AS equal
  FROM queries CROSS JOIN docs LEFT JOIN expected USING (name, text, id)
 GROUP BY name ORDER BY name;

-- unbound: every idf 1, no length
SELECT max(abs(abstract_score(doc, q) - (
        SELECT coalesce(sum(tf / (tf + 1.2)), 0) FROM (
            SELECT sum(tf) AS tf FROM postings p
             WHERE p.id = d.id AND lexeme IN ('w1', 'w2', 'w9')
             GROUP BY lexeme) t))) < 1e-12 AS equal
  FROM docs d, abstract_query('w1 w2 w9') q;

-- the same score however the query is written, to the last bit
CREATE TABLE s AS SELECT stats(p) AS s FROM params p WHERE name = 'fields';
SELECT x, y, count(*) FILTER (WHERE abstract_score(doc, abstract_query(x, s)) > 0) > 9 AS some,
       count(*) FILTER (WHERE abstract_score(doc, abstract_query(x, s)) <>
                              abstract_score(doc, abstract_query(y, s))) AS differ
  FROM docs, s, (VALUES ('w1 w2 w3', 'w3 w2 w1'), ('w1 w2 w3', '(w2 (w3)) OR w1'),
        ('w4 w4 w5', 'w4 w5 w4'), ('w1 AND w2 AND w3', 'w3 AND (w1 AND w2)'),
        ('w1', '+w1'), ('+w1 +w2', 'w1 AND w2'), ('+w1 w2 w3', 'w3 (w2) +w1'),
        ('w1 -w2', '(w1 AND NOT w2)'), ('"w1 w2"', '+"w1  w2"')) v(x, y)
 GROUP BY x, y ORDER BY x, y;

-- a structured query is the sum of what matches
WITH part AS (SELECT id, doc, w, abstract_score(doc, abstract_query(w, s)) AS score
           FROM docs, s, unnest(ARRAY['w1', 'w2', 'w3', '"w1 w2"']) w),
parts AS MATERIALIZED (SELECT id, doc, max(score) FILTER (WHERE w = 'w1') w1,
                 max(score) FILTER (WHERE w = 'w2') w2,
                 max(score) FILTER (WHERE w = 'w3') w3,
                 max(score) FILTER (WHERE w = '"w1 w2"') p
            FROM part GROUP BY id, doc)
SELECT q, count(*) FILTER (WHERE expected > 0) AS positive,
       max(abs(expected - abstract_score(doc, abstract_query(q, s)))) < 1e-12 AS equal
  FROM s, parts, LATERAL (VALUES
    ('w1 AND w2', CASE WHEN w1 > 0 AND w2 > 0 THEN w1 + w2 ELSE 0 END),
    ('+w1 w2 w3', CASE WHEN w1 > 0 THEN w1 + w2 + w3 ELSE 0 END),
    ('w1 -w2', CASE WHEN w2 = 0 THEN w1 ELSE 0 END),
    ('-w2', 0),
    ('w1 OR (w2 AND NOT w3)', w1 + CASE WHEN w3 = 0 THEN w2 ELSE 0 END),
    ('w3 "w1 w2"', w3 + p),
    ('+"w1 w2" w1', CASE WHEN p > 0 THEN p + w1 ELSE 0 END),
    ('(w1 AND w2) (w2 AND w3)', CASE WHEN w1 > 0 AND w2 > 0 THEN w1 + w2 ELSE 0 END +
        CASE WHEN w2 > 0 AND w3 > 0 THEN w2 + w3 ELSE 0 END)) v(q, expected)
 GROUP BY q ORDER BY q;
-- and a phrase that of its words
SELECT count(*) FILTER (WHERE doc @~ q) > 10 AS some,
       count(*) FILTER (WHERE doc @~ q <> (doc @@ 'w1 <-> w2'::tsquery)
                          AND id <= 200) AS wrong,
       count(*) FILTER (WHERE doc @~ q AND abs(abstract_score(doc, q) -
           abstract_score(doc, o)) > 1e-12) AS differ
  FROM docs, (SELECT abstract_query('"w1 w2"', s) q, abstract_query('w1 w2', s) o FROM s) q;

-- distance is minus score, 0 and not -0 without a match
SELECT 'a:1'::tsvector <=> 'b' AS none, ('a:1'::tsvector <=> 'b')::text AS zero,
       'a:1'::tsvector <=> '-b' AS not_b;

-- what adds up to a score
SELECT term, tf, df, round(idf::numeric, 6) AS idf, round(part::numeric, 6) AS part,
       round(share::numeric, 6) AS share
  FROM docs, (SELECT abstract_query('w1 (w2 AND w3) (w9 AND absent) -absent', s) q FROM s) q,
       LATERAL abstract_explain(doc, q)
 WHERE id = 4 ORDER BY term;
INSERT INTO queries SELECT 'structure', text, abstract_query(text, s) FROM s,
       unnest(ARRAY['+w1 w2 -w3', '"w1 w2" w3', 'w1 AND (w2 OR w5)', 'NOT w1']) text;
SELECT count(*) FILTER (WHERE abs(abstract_score(doc, q) - coalesce((
            SELECT sum(part) FROM abstract_explain(doc, q)), 0)) > 1e-12) AS differ,
       count(*) AS rows
  FROM docs, queries WHERE name IN ('default', 'structure');
SELECT term, tf, df, idf, round(part::numeric, 4) AS part, round(share::numeric, 4) AS share
  FROM abstract_explain('graphs of graphs and nets', abstract_like('nets, graphs'));

SET client_min_messages = warning;
DROP SCHEMA bm25 CASCADE;
