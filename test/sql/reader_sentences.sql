--
-- Sentences: where they end, and where they do not.
--
SET client_encoding = utf8;
CREATE FUNCTION pg_temp.cut(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(sentence, ' | ' ORDER BY number) FROM abstract_sentences(raw)
$$;
-- "|" says where a sentence ends
CREATE TEMP TABLE sentence_case (want text);
INSERT INTO sentence_case VALUES
('We saw it. | It was good! | Was it? | Yes.'),
('We use e.g. trees, i.e. graphs, cf. Fig. 3 and Eqs. (4) and (5). | It is vs. 0.5.'),
('Ito et al. report it. | It is by Ho et al. | We agree.'),
('E. coli and S. Typhimurium grew in vitro. | p53 rose.'),
('Bacillus sp. nov. was found. | No. 4 died at approx. 3.2 mg.'),
('It is by J. R. Smith and A. Jones. | They left.'),
('U.S. data come from the U.S. | The rest is from the U.K. Biobank.'),
('Cats, dogs, etc. | We like cats etc. in general.'),
('It rose (p<0.05). | We stopped.'),
('Vitamin A. | Levels fell. | Hepatitis B. | It stayed.'),
('The answer is no. | Others said no. 5 was right.'),
('See Sec. 2, Thm. 1, Alg. 3, Vol. 12, pp. 3-4 and Ref. 7. | End.'),
('We met Dr. Ho, Prof. Li and Mrs. Sy of St. Mary. | They were Ph.D. students.'),
('It is more than 4x. | On it goes at 3.5 GHz. | In 2019. | 15 people came.'),
('1. First comes this. | 2. Second comes that.'),
('What now? and then? so we ask. | We answer.'),
('Some (e.g., this one. And that one) are here. | Others are not.'),
('He said "stop." | Then he left. | "Why?" we asked.'),
('See https://example.org/a.b. | Then use Node.js. | It costs 5 mm. | We paid in 3 ms. | Done.'),
('k-means failed. | k-means is old. | mRNA is new.'),
('We left ... and came back. | We left... | Then we came.'),
('The variable x. | Then y. | Done at 5 p.m. | We slept.'),
('Das ist z. B. gut, d. h. sehr gut. | Wir sehen vgl. Abb. 3 und Nr. 5.'),
('On voit p. ex. Fig. 2. | Nous partons.'),
('方法：我们提出。 | 结果很好！ | 完。'),
('It is $O(n)$. | $k$-NN is $x=y$. | See \textbf{Fig. 3}. | \emph{We} go.'),
('It works. | (See also here.) | It ends'),
('Smith (2020) found it. | (Ho et al., 2021) did not.');
SELECT replace(want, ' | ', ' ') AS raw, pg_temp.cut(replace(want, ' | ', ' ')) AS got
FROM sentence_case
WHERE pg_temp.cut(replace(want, ' | ', ' ')) IS DISTINCT FROM replace(abstract_plain(replace(want, ' | ', ' ¦ ')), ' ¦ ', ' | ')
ORDER BY 1;
SELECT count(*) > 25 AS all_read FROM sentence_case;
-- glued ones, paragraphs, other blanks
SELECT pg_temp.cut('It was tested.METHODS: yes. These are failures.Overall, fine (p<0.05).We go. J.Smith and Node.Start stay; 3.5.We end.');
SELECT pg_temp.cut(E'A title\n\nWe go on\nin this line. And\tthis\u00A0one.\r\n\r\n- a list');
SELECT pg_temp.cut('<p>We test H<sub>2</sub>O.</p><p>It is wet</p>');
-- places are characters of the raw text, from 1; marks belong to their sentence
SELECT s.*, substr(raw, start, length) AS there
FROM (VALUES ('Über **alles.** **We** use \emph{it}. \textbf{Fig. 2} shows $x$.  "Ja."')) v(raw),
	abstract_sentences(raw) s;
SELECT * FROM abstract_sentences(NULL);
SELECT * FROM abstract_sentences('');
SELECT * FROM abstract_sentences(' . ');
