--
-- Document vectors: the same as to_tsvector while that has no limits to meet.
--
SET client_encoding = utf8;
-- labels, NULL and empty parts
SELECT abstract_vector('Graph *matching*', 'We match \emph{graphs}.');
SELECT abstract_vector(NULL, 'We match graphs.'), abstract_vector('Graph matching', NULL);
SELECT abstract_vector(NULL, NULL) IS NULL AS both_null,
	abstract_vector('', '')::text AS both_empty, abstract_vector('', NULL)::text AS one_empty;
SELECT abstract_vector('Les graphes', 'étudiés', 'pg_catalog.french'),
	abstract_vector('x', 'y', NULL) IS NULL AS null_config;
-- no phrase reaches from the title into the abstract
SELECT abstract_vector('deep graph', 'matching pays') @@ 'deep <-> graph'::tsquery AS inside,
	abstract_vector('deep graph', 'match pays') @@ 'graph <-> match'::tsquery AS across;
-- parts of a compound keep the distance of the words they stand for
SELECT to_tsvector('abstracts', 'the state-of-the-art model') @@ 'state <3> art <-> model'::tsquery AS compound,
	to_tsvector('abstracts', 'the state of the art model') @@ 'state <3> art <-> model'::tsquery AS words;

-- equality
CREATE TEMP TABLE texts (t text);
INSERT INTO texts VALUES
('An out-of-distribution test with $\tilde{O}(1)$ of 1,024 LLMs and β-catenin/GPT-4o at https://a.example/x.'),
('**METHODS:** 93.5% of R&amp;D; <i>in vivo</i> CO₂ at −3.2 °C, arXiv:2101.00001v2 doi:10.1234/AB.C'),
(''), ('   '), ('the of and'), ('深度学习模型 и слова'), (repeat('graph ', 300)),
(repeat('one two three ', 8000)), (repeat('y', 3000) || ' ' || repeat('é', 700)),
(U&'a\0301\0300\0323 \FEFF \200B x\00ADy'), ('a-b/c+d--e'), ('$ { ** < & ( \ } ] > `');
INSERT INTO texts SELECT string_agg(md5(i::text) || CASE i % 4 WHEN 0 THEN '-' WHEN 1 THEN ' ' WHEN 2 THEN '. ' ELSE '/' END, '')
	FROM generate_series(1, 3000) i;
INSERT INTO texts SELECT string_agg(w, ' ') FROM (SELECT 'w' || i * 7919 % 5000 FROM generate_series(1, 20000) i) g(w);
SELECT count(*) AS texts,
	count(*) FILTER (WHERE abstract_vector(NULL, t) = setweight(to_tsvector('abstracts', t), 'B')) AS own,
	count(*) FILTER (WHERE abstract_vector(t, NULL) = setweight(to_tsvector('abstracts', t), 'A')) AS title,
	count(*) FILTER (WHERE abstract_vector(NULL, t, 'pg_catalog.simple') = setweight(to_tsvector('pg_catalog.simple', t), 'B')
		OR t ~ 'yyyy') AS simple,
	count(*) FILTER (WHERE abstract_vector(NULL, t, 'pg_catalog.english') = setweight(to_tsvector('pg_catalog.english', t), 'B')
		OR t ~ 'yyyy') AS english
FROM texts;

-- a multi-token dictionary is read by the core
CREATE TEXT SEARCH DICTIONARY reader_thesaurus (
	TEMPLATE = thesaurus, DictFile = thesaurus_sample, Dictionary = pg_catalog.english_stem);
CREATE TEXT SEARCH CONFIGURATION reader_stars (COPY = pg_catalog.english);
ALTER TEXT SEARCH CONFIGURATION reader_stars
	ALTER MAPPING FOR asciiword WITH reader_thesaurus, pg_catalog.english_stem;
SELECT abstract_vector(NULL, t, 'reader_stars') AS vector,
	abstract_vector(NULL, t, 'reader_stars') = setweight(to_tsvector('reader_stars', t), 'B') AS same
FROM (VALUES ('We saw a supernovae stars and one more supernovae star here'),
	('no such thing'), ('supernovae'), ('bright supernovae')) v(t);

-- what was remembered is forgotten when a configuration changes
CREATE TEXT SEARCH CONFIGURATION reader_changes (COPY = pg_catalog.english);
SELECT abstract_vector(NULL, 'running graphs', 'reader_changes');
ALTER TEXT SEARCH CONFIGURATION reader_changes ALTER MAPPING FOR asciiword WITH pg_catalog.simple;
SELECT abstract_vector(NULL, 'running graphs', 'reader_changes');
CREATE TEXT SEARCH DICTIONARY reader_words (TEMPLATE = pg_catalog.simple, StopWords = english);
ALTER TEXT SEARCH CONFIGURATION reader_changes ALTER MAPPING FOR asciiword WITH reader_words;
SELECT abstract_vector(NULL, 'the graphs', 'reader_changes');
ALTER TEXT SEARCH DICTIONARY reader_words (StopWords);
SELECT abstract_vector(NULL, 'the graphs', 'reader_changes');
DROP TEXT SEARCH CONFIGURATION reader_changes, reader_stars;
DROP TEXT SEARCH DICTIONARY reader_words, reader_thesaurus;

-- limits: cut with a notice, never an error
SELECT length(abstract_vector(NULL, string_agg('w' || i, ' ' ORDER BY i))) > 50000 AS most
FROM generate_series(1, 200000) i;
SELECT length(v) AS lexemes, octet_length(v::text) < 3000 AS positions_capped
FROM abstract_vector(NULL, repeat('graph ', 100000)) v;
SELECT octet_length(lexeme) FROM unnest(abstract_vector(NULL, repeat('x', 3000)));
-- a lexeme of another configuration is cut as well
SELECT octet_length(lexeme) FROM unnest(abstract_vector(NULL, repeat('é', 700), 'pg_catalog.simple'));

-- immutable: generated columns and indexes
CREATE TABLE reader_papers (title text, abstract text,
	doc tsvector GENERATED ALWAYS AS (abstract_vector(title, abstract)) STORED);
CREATE INDEX ON reader_papers USING gin (abstract_vector(title, abstract));
INSERT INTO reader_papers VALUES ('Graphs', 'We match them.'), (NULL, 'Only text'), (NULL, NULL);
SELECT title, doc FROM reader_papers ORDER BY title NULLS LAST, doc NULLS LAST;
-- the configuration is the extension's, whatever the search path says
BEGIN;
CREATE SCHEMA reader_other;
CREATE TEXT SEARCH CONFIGURATION reader_other.abstracts (COPY = pg_catalog.simple);
SET LOCAL search_path = reader_other, public;
SELECT public.abstract_vector(NULL, 'the running graphs');
ROLLBACK;
DROP TABLE reader_papers;

-- hostile texts through the whole reader
DO $do$
DECLARE
	piece text;
	t0 timestamptz;
	took float8;
BEGIN
	FOREACH piece IN ARRAY ARRAY['x', 'word ', '(', 'a.', 'aa.', 'a-', 'a/', 'a@', 'b(', 'b^(', '1', '1,',
		'1.', '1x', '-', '+1', '猫', U&'\0301', 'AB ', 'http://a.b/(', '10.1234/', 'arxiv:', 'a''', '$x+y$ ', '\', '{', '<']
	LOOP
		t0 := clock_timestamp();
		PERFORM length(abstract_vector(NULL, repeat(piece, 2000000 / octet_length(piece))));
		took := extract(epoch FROM clock_timestamp() - t0);
		IF took > 10 THEN
			RAISE WARNING '2 MB of "%" take % s', piece, round(took::numeric, 1);
		END IF;
	END LOOP;
END
$do$;
