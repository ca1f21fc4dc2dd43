--
-- Keywords: phrases of up to four words as they stand in the text, without
-- what papers of every field say; weighed by a corpus where one is given.
--
SET client_encoding = utf8;
CREATE FUNCTION pg_temp.keys(raw text, n int) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(keyword, ' | ' ORDER BY score DESC, start) FROM abstract_keywords(raw, n)
$$;
CREATE TEMP TABLE paper (id int, abstract text);
INSERT INTO paper VALUES
(1, 'Bird migration is tracked by weather radar. We propose HeronNet, a recurrent network that segments bird flocks in weather radar images. Extensive experiments show that HeronNet achieves state-of-the-art results and significantly outperforms existing methods on flock segmentation by 14\%. Code is available at https://example.org/heron.'),
(2, 'BACKGROUND: Soil moisture drives plant growth. METHODS: We measured soil moisture with capacitive sensors in 12 vineyards. RESULTS: Irrigation scheduling by soil moisture saved water. CONCLUSIONS: Capacitive sensors make irrigation scheduling precise.'),
(3, 'Graph neural networks (GNNs) suffer from oversmoothing. We study oversmoothing in deep GNNs and prove that residual connections delay oversmoothing.'),
(4, 'We study methods. The results of our experiments show significant improvements over baselines in various settings.'),
(5, '深度学习模型用于图像分割。图像分割很难。');
SELECT id, pg_temp.keys(abstract, 6) FROM paper ORDER BY id;
-- nothing of these is ever a keyword
SELECT id, keyword FROM paper, abstract_keywords(abstract, 100)
WHERE keyword ~* '\m(state-of-the-art|extensive|significantly|we|propose|outperforms|available|http|methods|background)\M' ORDER BY 1, 2;
-- at most four words, best first, each once
SELECT bool_and(array_length(string_to_array(keyword, ' '), 1) <= 4) AS short,
	bool_and(score > 0 AND score <= 1) AS scaled, count(*) = count(DISTINCT lower(keyword)) AS once
FROM abstract_keywords((SELECT abstract FROM paper WHERE id = 1), 100);
SELECT max(score) AS best, count(*) AS n FROM abstract_keywords((SELECT abstract FROM paper WHERE id = 1), 3);
-- surface form and place in the raw text
SELECT keyword, count, start, length, substr(raw, start, length) AS there
FROM (VALUES ('Über \textbf{Spectral Gap}: the **spectral gap** bounds mixing times. Mixing times matter.')) v(raw),
	abstract_keywords(raw, 4);
-- a corpus in which every text speaks of birds
CREATE TABLE pg_temp.birds AS SELECT 'birds and bird flocks in radar images, no ' || i AS abstract FROM generate_series(1, 40) i;
CREATE INDEX birds_idx ON birds USING abstracts (abstract);
SELECT string_agg(keyword, ' | ' ORDER BY score DESC, start) AS plain
FROM abstract_keywords('Bird flocks avoid wind turbines. Bird flocks in radar images show turbine avoidance.', 3);
SELECT string_agg(keyword, ' | ' ORDER BY score DESC, start) AS weighed
FROM abstract_keywords('Bird flocks avoid wind turbines. Bird flocks in radar images show turbine avoidance.', 3, 'birds_idx');
TRUNCATE birds;
SELECT count(*) AS empty_corpus FROM abstract_keywords('Bird flocks avoid wind turbines.', 3, 'birds_idx');
SELECT count(*) FROM abstract_keywords('x', 3, 'pg_class');
SELECT count(*) FROM abstract_keywords('Bird flocks', 0);
SELECT count(*) FROM abstract_keywords('Bird flocks', -1);
SELECT * FROM abstract_keywords(NULL);
SELECT * FROM abstract_keywords('');
SELECT * FROM abstract_keywords('Bird flocks', NULL);
