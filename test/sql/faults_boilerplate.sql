--
-- Boilerplate (rows 45 to 49, 56): its kind and the text it is
-- Each line: the row of the list of text faults, a text, and what is right.
-- Only what is wrong is shown.
--
SET client_encoding = utf8;
CREATE FUNCTION pg_temp.found(title text, raw text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(kind || ' [' || btrim(substr(raw, start, length)) || ']', ' ' ORDER BY start), '-')
	FROM abstract_boilerplate(title, raw)
$$;
CREATE TEMP TABLE found_case (row int, raw text, want text);
INSERT INTO found_case VALUES
(45, $x$Abstract We show graphs.$x$, $x$heading [Abstract]$x$),
(45, $x$Abstract meaning graphs help$x$, $x$-$x$),
(45, $x$Abstract Interpretation is sound.$x$, $x$-$x$),
(45, $x$Abstract-level features$x$, $x$-$x$),
(45, $x$ABSTRACT Graph models help.$x$, $x$heading [ABSTRACT]$x$),
(45, $x$**Abstract.** It helps.$x$, $x$heading [Abstract.**]$x$),
(45, $x$Abstract: BACKGROUND: We.$x$, $x$heading [Abstract:]$x$),
(45, $x$Résumé : nous$x$, $x$heading [Résumé :]$x$),
(45, $x$摘要：深度$x$, $x$heading [摘要：]$x$),
(46, $x$Trees grew. © 2020 Example Press. All rights reserved.$x$, $x$copyright [© 2020 Example Press. All rights reserved.]$x$),
(46, $x$Trees grew.(C) 2003 Example B.V. All rights reserved.$x$, $x$copyright [(C) 2003 Example B.V. All rights reserved.]$x$),
(46, $x$<p>Trees grew.</p><p>&copy; 2020 Example</p>$x$, $x$copyright [&copy; 2020 Example</p>]$x$),
(46, $x$© 2019 The Authors. Trees grew. They are tall.$x$, $x$copyright [© 2019 The Authors.]$x$),
(46, $x$Trees grew. Copyright 2001 Example Press.$x$, $x$copyright [Copyright 2001 Example Press.]$x$),
(46, $x$Trees grew. © 2020 Example, Inc. J Tree 12: 3-10, 2020.$x$, $x$copyright [© 2020 Example, Inc. J Tree 12: 3-10, 2020.]$x$),
(47, $x$Courts apply copyright to images in three ways.$x$, $x$-$x$),
(47, $x$Copyright law is old. Copyright in the digital age is new.$x$, $x$-$x$),
(47, $x$We compare (a) x, (b) y and (c) 2020 models. It works.$x$, $x$-$x$),
(47, $x$The © sign is read. We count signs.$x$, $x$-$x$),
(47, $x$Trees grew. © 2020 Press. Code is available at http://a.example/b.$x$, $x$-$x$),
(48, $x$No abstract available.$x$, $x$placeholder [No abstract available.]$x$),
(48, $x$[Abstract unavailable]$x$, $x$placeholder [[Abstract unavailable]]$x$),
(48, $x$N/A$x$, $x$placeholder [N/A]$x$),
(48, $x$-$x$, $x$placeholder [-]$x$),
(48, $x$<p>There is no abstract for this article.</p>$x$, $x$placeholder [There is no abstract for this article.</p>]$x$),
(48, $x$No graph is available.$x$, $x$-$x$),
(49, $x$This paper has been withdrawn by the authors due to an error in Lemma 2.$x$, $x$withdrawn [This paper has been withdrawn by the authors due to an error in Lemma 2.]$x$),
(49, $x$It was shown. This submission has been withdrawn by arXiv administrators.$x$, $x$withdrawn [This submission has been withdrawn by arXiv administrators.]$x$),
(49, $x$We study drug withdrawal. The drug was withdrawn in 2004.$x$, $x$-$x$),
(49, $x$This paper studies how papers are withdrawn.$x$, $x$-$x$),
(56, $x$Graphs learn from molecules and their properties. Graphs learn from molecules and their properties.$x$, $x$repeated [Graphs learn from molecules and their properties.]$x$),
(56, $x$Graphs learn from molecules and their properties. Graphs learn from molecules and other things.$x$, $x$-$x$);
SELECT row, raw, pg_temp.found(NULL, raw) AS got, want FROM found_case
WHERE pg_temp.found(NULL, raw) IS DISTINCT FROM want ORDER BY row, raw;
SELECT count(*) AS texts, count(DISTINCT row) AS rows FROM found_case;

-- the title, once more
SELECT raw, pg_temp.found('Deep learning for graphs', raw) AS found
FROM (VALUES ('Deep Learning for Graphs. We show it.'), ('Deep learning for graphs is hard.'),
	('Deep learning for graphs')) v(raw);
-- twice in two languages, and lines
SELECT pg_temp.found(NULL, repeat(E'Graphs learn from molecules and more of it.\nLes graphes apprennent des molecules et plus.\n', 2)) AS found;
-- rows that repeat a word were meant so
SELECT pg_temp.found(NULL, repeat('graph ', 100)), pg_temp.found(NULL, repeat('x', 3000)), pg_temp.found(NULL, '');
SELECT * FROM abstract_boilerplate(NULL);
-- documents leave boilerplate out; display text and tokens do not
SELECT abstract_vector('Trees', 'Abstract We plant. © 2020 Press. All rights reserved.') AS vector;
SELECT abstract_vector('Trees', 'N/A') = abstract_vector('Trees', NULL) AS as_null, abstract_vector(NULL, 'N/A') IS NULL AS no_document;
SELECT abstract_plain('Abstract We plant. © 2020 Press.');
SELECT 'Trees grew. © 2020 Press. All rights reserved.' @~ 'press'::abstract_query AS matches;
