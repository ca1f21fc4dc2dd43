--
-- Acronyms: pairs in both orders, what is no pair, the table of a corpus,
-- and queries that ask for either form.
--
SET client_encoding = utf8;
-- "short=long" for every pair of a text
CREATE FUNCTION pg_temp.pairs(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(short || '=' || long, ' | ' ORDER BY start), '-')
	FROM abstract_acronyms(raw)
$$;
CREATE TEMP TABLE pair_case (raw text, want text);
INSERT INTO pair_case VALUES
-- long form first
('Convolutional neural networks (CNNs) work.', 'CNNs=Convolutional neural networks'),
('We train a graph neural network (GNN) here.', 'GNN=graph neural network'),
('with convolutional networks (CNNs).', 'CNNs=convolutional networks'),
('a deep residual network (ResNet) and', 'ResNet=residual network'),
('low-rank adaptation (LoRA) helps', 'LoRA=low-rank adaptation'),
('mixture-of-experts (MoE) layers', 'MoE=mixture-of-experts'),
('the area under the receiver operating characteristic curve (AUC) is', 'AUC=area under the receiver operating characteristic curve'),
('deoxyribonucleic acid (DNA) and polymerase chain reaction (PCR)', 'DNA=deoxyribonucleic acid | PCR=polymerase chain reaction'),
('electroencephalography (EEG) signals', 'EEG=electroencephalography'),
('tumor necrosis factor alpha (TNF-α) rose', 'TNF-α=tumor necrosis factor alpha'),
('interleukin-6 (IL-6) fell', 'IL-6=interleukin-6'),
('coronavirus disease 2019 (COVID-19) spread', 'COVID-19=coronavirus disease 2019'),
('magnetic resonance imaging (MRI; 3 T)', 'MRI=magnetic resonance imaging'),
('mean average precision (mAP) of', 'mAP=mean average precision'),
('question answering (hereafter, QA) is', 'QA=question answering'),
('Image-to-Text (I2T) transfer', 'I2T=Image-to-Text'),
('Findable, Accessible, Interoperable, and Reusable (FAIR) data', 'FAIR=Findable, Accessible, Interoperable, and Reusable'),
('a system named Hierarchical Object Relation Neural Embedding with Twins (HORNET) sees', 'HORNET=Hierarchical Object Relation Neural Embedding with Twins'),
('multimodal models (MMs)'' use', 'MMs=multimodal models'),
('spiking networks [SNs] are', 'SNs=spiking networks'),
-- with markup
('a \textbf{variational autoencoder} (\emph{VAE}) and **knowledge graphs** (**KGs**)', 'VAE=variational autoencoder | KGs=knowledge graphs'),
-- short form first
('LLMs (large language models) talk', 'LLMs=large language models'),
('We build BirdBench (Bird Image Recognition Data Bench), a set', 'BirdBench=Bird Image Recognition Data Bench'),
('\textbf{TRY} (Test--Repair--Yield) is', 'TRY=Test–Repair–Yield'),
('NASA (National Aeronautics and Space Administration) says', 'NASA=National Aeronautics and Space Administration'),
-- without brackets
('Speech-to-Score, or S2S, is', 'S2S=Speech-to-Score'),
('chain of thought, abbreviated CoT, is', 'CoT=chain of thought'),
-- the same pair twice, and two long forms
('Random forests (RFs) and random forest (RF) or radio frequency (RF)', 'RFs=Random forests | RF=radio frequency'),
-- no pairs
('Growth stopped (in 2019) and so did we (see Fig. 2).', '-'),
('With many people (n = 30) and organs (brains) in parts (iii) we ran.', '-'),
('(21)In (21), λ is given. The map expX (·) : R holds. Part (iv) of Theorem 2.', '-'),
('We meet the people (owners) of houses in the country (Norway).', '-'),
('Trained by a lab (NVIDIA) on a chip (A100) from the fab (TSMC).', '-'),
('We test the model on ImageNet (MIT) and the baseline (GPT).', '-'),
('Models (Smith et al., 2020) and data (Table 3) with p (P < 0.05) and odds (OR 1.5).', '-'),
('a theory (A) and a practice (B)', '-'),
('errors (e.g., fewer calls) and others (i.e., ERR)', '-'),
('Results were good (Methods) and bad (Results).', '-'),
('BERT (base) and CLIP (in our runs) and MNIST (digits).', '-');
SELECT raw, pg_temp.pairs(raw) AS got, want FROM pair_case
WHERE pg_temp.pairs(raw) IS DISTINCT FROM want ORDER BY raw;
SELECT count(*) > 35 AS all_read FROM pair_case;

-- places are characters of the raw text, from 1
SELECT a.*, substr(raw, start, length) AS short_there, substr(raw, long_start, long_length) AS long_there
FROM (VALUES ('Über \emph{graph neural networks} (GNNs) and \textbf{TRY} (Test--Repair--Yield)')) v(raw),
	abstract_acronyms(raw) a;
SELECT * FROM abstract_acronyms(NULL);
SELECT * FROM abstract_acronyms('');

-- the acronyms of a corpus
CREATE TEMP TABLE paper (id int, abstract text);
INSERT INTO paper VALUES
(1, 'Large Language Models (LLMs) are studied.'),
(2, 'A large language model (LLM) is studied; large language models (LLMs) too.'),
(3, 'Few-shot learning (FSL) is hard.'),
(4, 'Few shot learning (FSL) stays hard. We fit a GAN (generative adversarial network).'),
(5, NULL),
(6, 'We search with an LLM.'),
(7, 'We search with a large language model.'),
(8, 'The model is large.');
SELECT abstracts_acronyms(abstract) FROM paper;
SELECT abstracts_acronyms(abstract ORDER BY id DESC) = (SELECT abstracts_acronyms(abstract) FROM paper) AS order_is_nothing FROM paper;
SELECT abstracts_acronyms(abstract) FROM paper WHERE false;

-- a table of them
SELECT short, long, texts FROM jsonb_to_recordset((SELECT abstracts_acronyms(abstract) FROM paper))
	AS a(short text, long text, texts int);

-- either form finds both, only when asked for
CREATE TEMP TABLE thesaurus AS SELECT abstracts_acronyms(abstract) AS acronyms FROM paper;
SELECT id FROM paper WHERE abstract @~ 'LLM' ORDER BY id;
SELECT id FROM paper WHERE abstract @~ '"large language model"' ORDER BY id;
SELECT id FROM paper, thesaurus WHERE abstract @~ abstract_expand('LLM', acronyms) ORDER BY id;
SELECT id FROM paper, thesaurus WHERE abstract @~ abstract_expand('"large language model"', acronyms) ORDER BY id;
SELECT id FROM paper, thesaurus WHERE abstract @~ abstract_expand('+LLM +search', acronyms) ORDER BY id;
SELECT id FROM paper, thesaurus WHERE abstract @~ abstract_expand('studied -LLM', acronyms) ORDER BY id;

-- by the index as well
CREATE INDEX paper_idx ON paper USING abstracts (abstract);
SET enable_seqscan = off;
CREATE FUNCTION pg_temp.uses_index(query text) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE line text; found bool := false;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		found := found OR line LIKE '%Index Scan using paper_idx%';
	END LOOP;
	RETURN found;
END $$;
SELECT pg_temp.uses_index($$SELECT id FROM paper
 WHERE abstract @~ abstract_expand('LLM', (SELECT acronyms FROM thesaurus))
 ORDER BY abstract <=> abstract_expand('LLM', (SELECT acronyms FROM thesaurus)) LIMIT 5$$);
SELECT id FROM (SELECT id FROM paper
 WHERE abstract @~ abstract_expand('LLM', (SELECT acronyms FROM thesaurus))
 ORDER BY abstract <=> abstract_expand('LLM', (SELECT acronyms FROM thesaurus)) LIMIT 5) best ORDER BY id;
RESET enable_seqscan;

-- how queries are rewritten
SELECT query, abstract_expand(query, '{"LLM": "large language model", "CNN": ["convolutional neural network", "Cable News Network"], "OOD": "out-of-distribution"}')
FROM (VALUES ('LLM safety'), ('+LLMs -cnn'), ('large language models AND cats'), ('a large language model is'),
	('“large language models” OR x'), ('NOT LLM'), ('((LLM) cat) dog'), ('out-of-distribution'), ('out of distribution'),
	('ood'), ('L L M'), ('nothing here'), (''), ('a "LLM'), ('"x LLM"'), ('-"large language model" +x')) v(query);
-- what is rewritten reads back
SELECT abstract_query(abstract_expand('+LLM "cable news network" -OOD', '[{"short": "LLM", "long": "large (language) \"model\""}, {"long": "Cable News Network", "short": "CNN", "texts": 3}]'));
SELECT abstract_expand('LLM', '[]'), abstract_expand('LLM', NULL), abstract_expand(NULL, '[]');
SELECT abstract_expand('LLM', '[1]');
SELECT abstract_expand('LLM', '[{"short": "x"}]');
SELECT abstract_expand('LLM', '"LLM"');
SELECT abstract_expand('LLM', '{"LLM": 1}');
SELECT abstract_expand('LLM', '{"LLM": {"a": "b"}}');
SELECT abstract_expand('LLM', '{"LLM": ""}');
