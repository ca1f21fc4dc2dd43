--
-- What is found lies where it says, whatever the text; no text takes long.
--
SET client_encoding = utf8;
SET statement_timeout = '60s';
CREATE TEMP TABLE line (id serial, raw text);
\copy line (raw) FROM 'data/papers.txt' WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')
INSERT INTO line (raw) SELECT repeat(s, 20000 / length(s)) FROM (VALUES
	('('), (')'), ('. '), ('a.b. '), ('"'), ('$'), ('\textbf{'), ('**'), ('alpha beta (AB) '), ('(Ito et al., 2020; '), ('[1] '),
	('we propose '), ('our method called '), ('NameX and '), ('NameX, '), ('METHODS: '), ('方法：深度学习。'), ('1 000 '), ('9'), ('1-2-'),
	('x$1^2$ ± 3%'), (E'\n'), (E'\u0301'), ('É̃ﬁ²‰µ '), ('<p>We <i>go</i>.</p>'), ('&lt;b&gt; (BB) '), ('https://x.org/a(b '),
	('MT-AgentRisk (multi-turn agent risk and so on with cases) '), ('long form, or LF, '), ('ten new birds '), ('$5 million–6 ')) v(s);
DELETE FROM line WHERE raw IS NULL;
ALTER TABLE line ADD chars int;
UPDATE line SET chars = char_length(raw);
CREATE TEMP TABLE found AS
	SELECT id, 'sentence' AS what, start, length FROM line, abstract_sentences(raw)
	UNION ALL SELECT id, 'section', start, length FROM line, abstract_sections(raw)
	UNION ALL SELECT id, 'short', start, length FROM line, abstract_acronyms(raw)
	UNION ALL SELECT id, 'long', long_start, long_length FROM line, abstract_acronyms(raw)
	UNION ALL SELECT id, kind, start, length FROM line, abstract_entities(raw)
	UNION ALL SELECT id, 'keyword', start, length FROM line, abstract_keywords(raw, 20);
SELECT what, count(*) > 10 AS many FROM found GROUP BY what ORDER BY what COLLATE "C";
SELECT id, what, start, length FROM found JOIN line USING (id)
WHERE start < 1 OR length < 0 OR start + length - 1 > chars
	OR (length = 0 AND what <> 'section') ORDER BY id, start LIMIT 10;
-- sentences do not overlap, and leave nothing out but blanks
SELECT id FROM line WHERE regexp_replace(abstract_plain(raw), '\s', '', 'g') IS DISTINCT FROM
	coalesce((SELECT regexp_replace(string_agg(sentence, '' ORDER BY number), '\s', '', 'g') FROM abstract_sentences(raw)), '') ORDER BY id;
SELECT id FROM (SELECT id, start, lag(start + length) OVER (PARTITION BY id ORDER BY start) AS before
	FROM found WHERE what = 'sentence') s WHERE start < before ORDER BY id;
-- the same in a query
SELECT count(length(abstract_expand(raw, '{"NameX": "our method", "AB": "alpha beta"}'))) = count(*) AS all_expanded FROM line;
