--
-- Which documents a query matches, and how operators resolve.
--
CREATE SCHEMA query_match;
SET search_path = query_match, public;

CREATE TABLE papers (id int, body text, label varchar(80), doc tsvector);
INSERT INTO papers SELECT id, b, t, abstract_vector(t, b) FROM (VALUES
    (1, 'TimeMoDE', 'Few-shot generation of time series by diffusion.'),
    (2, 'Wide ResNets', 'Early stopping of deep residual networks.'),
    (3, 'Hypernetworks', 'A hypernetwork writes adapters in one pass.'),
    (4, 'Med-Scout', 'Multi-hop questions on images of bones; UNet is used.'),
    (5, 'ToolShield', 'Safety of agents that use tools over many turns.'),
    (6, 'RSF-GLLM', 'Question answering by multihop reasoning on graphs.'),
    (7, 'AdaS', 'Adaptive gradient descent; IL-6 is no part of it.'),
    (8, NULL, NULL)) v(id, t, b);

CREATE FUNCTION found(q text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(id::text, ' ' ORDER BY id), '-')
      FROM papers WHERE doc @~ q
$$;
-- the same with a corpus that knows the words of these documents
CREATE FUNCTION found_bound(q text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(id::text, ' ' ORDER BY id), '-')
      FROM papers, (SELECT abstract_query(q, jsonb_build_object('n', 8, 'terms',
            (SELECT jsonb_object_agg(word, ndoc)
               FROM ts_stat('SELECT doc FROM query_match.papers')))) AS b) s
     WHERE doc @~ b
$$;

-- names however they are spelled
SELECT q, found(q), found_bound(q) FROM unnest(ARRAY[
    'time-mode', 'timemode', 'TIMEMODE', 'RES-NETS', 'resnets', 'medscout',
    'med-scout', 'tool-shield', 'toolshield', 'rsfgllm', 'RSF GLLM', 'ADAS',
    'adas', 'u-net', 'unet', 'hyper network', 'hyper-network', 'hypernetworks',
    'multihop', 'multi-hop', 'multi hop', 'few shot', 'fewshot', 'IL6', 'IL-6',
    'il 6']) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- exact positions
SELECT q, found(q), found_bound(q) FROM unnest(ARRAY[
    '+multi-hop', '+multihop', '"multi-hop questions"', '"multihop reasoning"',
    '"few-shot generation"', '"fewshot generation"', '"few shot"',
    '+few-shot', '+hop-multi', '"multi hop"', '"hop multi"', 'adas AND gradient', '+IL-6',
    'il6 AND descent', '"IL 6"', '"images of bones"', '"images bones"',
    '"images the bones"']) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- operators
SELECT q, found(q), found_bound(q) FROM unnest(ARRAY[
    'question', 'question -images', 'question +graph', '+question graph',
    'question AND graph', 'diffusion OR agents', 'NOT question', '-question',
    'question NOT graph', '-question -networks', '(question OR agents) AND NOT images',
    'the', '', 'nothing', '+nothing question', '-nothing', '+question +nothing',
    'NOT nothing AND graph', '"question answering"', '-"question answering" question',
    'safety "use tools"', '+safety "tools use"', '"tools use"'
    ]) WITH ORDINALITY AS t(q, i) ORDER BY i;

-- phrases do not reach from the title into the abstract
SELECT found('"residual networks"'), found('"ResNets early"');
-- labels do not matter to a phrase
SELECT setweight('a:1 b:2A'::tsvector, 'C', '{a}') @~
       abstract_query('"a b"', '{"n": 1, "config": "simple"}') AS labels;
-- position 16383 is any place beyond: next to nothing
SELECT v::tsvector @~ abstract_query('"a b"', '{"n": 1, "config": "simple"}'), v
  FROM unnest(ARRAY['a:16381 b:16382', 'a:16382 b:16383', 'a:16383 b:16383',
                    'a:1 b:3', 'a:2 b:1', 'a:1,7 b:3,8']) v ORDER BY v;
-- without positions a phrase is an AND
SELECT v::tsvector @~ abstract_query('"a b"', '{"n": 1, "config": "simple"}'), v
  FROM unnest(ARRAY['a b', 'a', 'a:1 b', 'c']) v ORDER BY v;
-- a lexeme of more than 255 bytes stands for its first 255
SELECT (repeat('x', 300) || ':1')::tsvector @~
       abstract_query(repeat('x', n), '{"n": 1, "config": "simple"}') AS long, n
  FROM unnest(ARRAY[254, 255, 256, 300]) n ORDER BY n;

-- text and tsvector, literals, parameters, columns of other types
SELECT id FROM papers WHERE body @~ 'question' ORDER BY body <=> 'question', id;
SELECT id FROM papers WHERE label @~ 'adas' ORDER BY id;
SELECT id FROM papers WHERE doc @~ ('que' || 'stion') ORDER BY id;
SELECT a.id FROM papers a, papers b WHERE b.id = 6 AND a.doc @~ b.body ORDER BY 1;
SELECT a.id FROM papers a, papers b WHERE b.id = 6 AND a.doc @~ b.label ORDER BY 1;
PREPARE search AS SELECT id FROM papers WHERE doc @~ $1 ORDER BY doc <=> $1, id;
EXECUTE search('question');
PREPARE search_text(text) AS SELECT id FROM papers WHERE doc @~ $1 ORDER BY id;
EXECUTE search_text('adas');
-- NULL
SELECT doc @~ 'x' IS NULL AS m, doc <=> 'x' IS NULL AS d, doc <~> doc IS NULL AS s,
       abstract_score(doc, 'x') IS NULL AS f FROM papers WHERE id = 8;
SELECT doc @~ NULL::abstract_query IS NULL FROM papers WHERE id = 1;
-- one call site, many queries: what it keeps belongs to the query at hand
SELECT q, count(*) FILTER (WHERE doc @~ q) FROM papers, unnest(ARRAY['question',
    'adas', 'question', 'the', 'images OR agents']) q GROUP BY q ORDER BY q;
SELECT i, round(min(doc <=> q)::numeric, 6) FROM papers, unnest(ARRAY[
    abstract_query('question'), abstract_like('question'),
    abstract_query('question', '{"n": 3}')]) WITH ORDINALITY s(q, i)
 GROUP BY i ORDER BY i;
-- a query that names a configuration which is not there
SELECT 'a b'::tsvector @~ s.q::abstract_query, s.q FROM (VALUES
    ('a /*abstract_query 1 search config ''no.such'' k1 1 b 0 weights 1,1,1,1 n 1 lengths 0,0,0,0 terms ''a'':1 plan |(0)*/')) s(q);
SELECT 'a b'::text @~ s.q::abstract_query, s.q FROM (VALUES
    ('a /*abstract_query 1 search config ''no.such'' k1 1 b 0 weights 1,1,1,1 n 1 lengths 0,0,0,0 terms ''a'':1 plan |(0)*/')) s(q);
-- match and score agree: what scores matches
SELECT count(*) FROM papers, unnest(ARRAY['question', '+question -graph', 'NOT adas',
    '"question answering" the']) q
 WHERE (abstract_score(doc, q) > 0 AND NOT doc @~ q)
    OR doc <=> q <> -abstract_score(doc, q)
    OR abstract_match(doc, q) <> (doc @~ q);

SET client_min_messages = warning;
DROP SCHEMA query_match CASCADE;
