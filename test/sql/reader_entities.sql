--
-- Entities: numbers with their units, names, links, formulas, citations.
--
SET client_encoding = utf8;
-- numbers: "bound number[-high][±margin] unit"
CREATE FUNCTION pg_temp.numbers(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(concat(nullif(bound, '='), number, '-' || high, '±' || margin, ' ' || unit), ' | ' ORDER BY start), '')
	FROM abstract_entities(raw) WHERE kind = 'number'
$$;
CREATE TEMP TABLE number_case (raw text, want text);
INSERT INTO number_case VALUES
('It rose by 14\%, 16 %, 2.5 percent, 3 per cent and **40%**.', '14 % | 16 % | 2.5 % | 3 % | 40 %'),
('by $\textbf{14.94}$% and $95\%$ and $>90\%$', '14.94 % | 95 % | >90 %'),
('4.2 percentage points, 3 pp and +1.5 points', '4.2 percentage points | 3 percentage points | 1.5 points'),
('more than 4x, up to a 26.1× gain, $3\times$ and 2 times, 5-fold, threefold', '>4 x | 26.1 x | 3 x | 2 x | 5 x | 3 x'),
('1,024 images, 1,024,000 tokens, 10 000 patients, 1''000 users', '1024 images | 1024000 tokens | 10000 patients | 1000 users'),
('3,5 % und 3,5 Mio. Menschen, aber 3,5', '3.5 % | 3500000 | 3 | 5'),
('95B parameters, a 7B model, 1T-token training, 1.3k cases, 2.5 million images, 3 billion', '95000000000 parameters | 7000000000 parameters | 1000000000000 token | 1300 cases | 2500000 images | 3000000000'),
('1e-5, 10^-5, 10⁻⁵, $10^{-5}$, 3.2 × 10^5, $1.5\times 10^{3}$ and 2.1e6 steps', '0.00001 | 0.00001 | 0.00001 | 0.00001 | 320000 | 1500 | 2100000 steps'),
('93.5 ± 0.3, 93.5% ± 0.3%, $93.5\pm0.3$ and 5 ± 1 mm', '93.5±0.3 | 93.5±0.3 % | 93.5±0.3 | 5±1 mm'),
('12–15 mg, 3-5 days, 3 to 5 days, between 3 and 5 days, 93%-95%', '12-15 mg | 3-5 days | 3-5 days | 3-5 days | 93-95 %'),
('from 16% to 30%', '16 % | 30 %'),
('95% CI 1.2-3.4', '95 % | 1.2-3.4'),
('5 mm, 5mm, 5~mm, 5\,$\mu$m, 37 °C, 37°C, 2.4 GHz, 80GB, 5 mg/kg, 9.8 m/s', '5 mm | 5 mm | 5 mm | 5 µm | 37 °C | 37 °C | 2.4 GHz | 80 GB | 5 mg/kg | 9.8 m/s'),
('$5, US$7, €3.50, £2 million, 9 USD, 4 euros', '5 USD | 7 USD | 3.50 EUR | 2000000 GBP | 9 USD | 4 EUR'),
('the 1st, 22nd and 3rd', '1 ordinal | 22 ordinal | 3 ordinal'),
('4-bit weights, 100-layer nets and 10-fold cross-validation, 2-fold faster', '4 bit | 100 layer | 10 folds | 2 x'),
('about 5 GPUs, at least 10 runs, fewer than 3 errors, ~7 h, ≈8, p < 0.05, p<.05, up to 9 cores, over 12 languages',
 '~5 GPUs | >=10 runs | <3 errors | ~7 h | ~8 | <0.05 | <0.05 | <=9 cores | >12 languages'),
('−3.2 and -2.5', '-3.2 | -2.5'),
('½ of it', '0.5'),
('ten real datasets, six hard new benchmarks, two million users, one of them, two', '10 datasets | 6 benchmarks | 2000000 users'),
('in 2019 and 2020', '2019 year | 2020 year'),
-- no quantities
('See Fig. 3, Table 2, Eq. (4), Section 5, Theorem 1 and [12].', ''),
('3D and 2D, GPT-4o, CIFAR-100, IL-6, v1.2.3, 224x224, (1) first, (2) second', ''),
('(Ito et al., 2020) and Ho (2021) say so', ''),
('at https://example.org/12, doi:10.5555/123 and arXiv:2101.00001', '');
SELECT raw, pg_temp.numbers(raw) AS got, want FROM number_case
WHERE pg_temp.numbers(raw) IS DISTINCT FROM want ORDER BY raw;
SELECT count(*) > 20 AS all_read FROM number_case;

-- names: "kind:name"
CREATE FUNCTION pg_temp.names(raw text, which text) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(value, ', ' ORDER BY start), '') FROM abstract_entities(raw) WHERE kind = which
$$;
CREATE TEMP TABLE system_case (raw text, want text);
INSERT INTO system_case VALUES
('We propose HeronNet, a net for birds.', 'HeronNet'),
('In this paper, we introduce \textbf{OwlFormer}, a novel architecture that sees.', 'OwlFormer'),
('We then present Wren-2, which is fast, and release WrenBench.', 'Wren-2, WrenBench'),
('This work introduces FALCON (Fast Learning of Contextual Neighbours), a method.', 'FALCON'),
('We propose a simple method, Adaptive Bird Counting (ABC), for birds.', 'ABC'),
('We propose a new approach named Deep Avian Response Tracking (DART) for birds.', 'DART'),
('We present a tool called Nightjar that counts.', 'Nightjar'),
('We build a corpus, which we call BirdTalk, of songs.', 'BirdTalk'),
('Our method, SparrowX, beats others.', 'SparrowX'),
('Experiments show that the proposed LarkNet works.', 'LarkNet'),
('We develop the FinchSQL framework for queries.', 'FinchSQL'),
('We propose contrastive song learning (CSL), a way to learn songs.', 'CSL'),
('We release SongBank and SongEval, two resources.', 'SongBank, SongEval'),
('RobinRAG: Retrieval for birds. We study retrieval.', 'RobinRAG'),
('Counting is hard. TitCount, a new framework, counts well.', 'TitCount'),
('SwiftKV splits the cache. On ten tasks SwiftKV outperforms others. SwiftKV runs on one GPU.', 'SwiftKV'),
('By introducing GullMix we improve training.', 'GullMix'),
('We dub it PuffinLM.', 'PuffinLM'),
('We propose Bunting-to-Song (B2S), a model.', 'Bunting-to-Song'),
('We present the RookPlan algorithm and its proof.', 'RookPlan'),
('The authors propose StorkGAN to paint.', 'StorkGAN'),
-- not the paper's own
('We develop a random matrix theory (RMT) framework.', ''),
('We use reinforcement learning (RL) and BERT. GPT-4 outperforms Llama-3.', ''),
('Large language models (LLMs) achieve much. We introduce an LLM-in-the-loop evaluator.', ''),
('We propose Transformer-based networks and present GPU kernels.', ''),
('Previous work proposed DodoNet. Kalai and Vempala introduced MoaNet.', ''),
('We call this property *innovation* and study a popular dataset called EmuSet.', ''),
('We propose a simple method and present new results on ImageNet.', ''),
('We introduce flow regularization. We present an approach for guarantees.', '');
SELECT raw, pg_temp.names(raw, 'system') AS got, want FROM system_case
WHERE pg_temp.names(raw, 'system') IS DISTINCT FROM want ORDER BY raw;
SELECT count(*) > 25 AS all_read FROM system_case;
SELECT pg_temp.names(raw, 'dataset') AS datasets, pg_temp.names(raw, 'model') AS models, pg_temp.names(raw, 'system') AS systems
FROM (VALUES
	(1, 'We evaluate on CIFAR-100, ImageNet-1k and the AvianSet dataset; datasets such as NestQA and EggQA too.'),
	(2, 'We compare GPT-4o, Llama-3.1-8B and BERT with models such as HawkLM and KiteLM, and the MerlinNet architecture.'),
	(3, 'Experiments on WingQP and TailQ demonstrate gains over ResNet50 and the LoRA adapter.'),
	(4, 'We present HootBench, a new benchmark for owls.')) v(i, raw) ORDER BY i;

-- links, formulas, citations
SELECT kind, entity, value, start, length, sentence, substr(raw, start, length) AS there
FROM (VALUES ('Über \emph{code}: https://Git.Example.org/Some/Repo_x. See (doi:10.5555/AB.C-5) or https://doi.org/10.5555/xy, arXiv:2101.00001v2, https://arxiv.org/abs/2101.00002 and www.example.org/.
It runs in $\tilde{O}(n^2)$ [3, 5]. Ito and Ho (CONF 2024) say so (Lee et al., 2020; see Kim & Cho 2019a), as Ho et al. (2021).')) v(raw),
	abstract_entities(raw) ORDER BY start, kind;
-- the words around a number
SELECT number, unit, bound, context FROM abstract_entities('We train one model on more than 12 languages with a batch of 32 sentences each. It took 5 h.') WHERE kind = 'number';
SELECT * FROM abstract_entities(NULL);
SELECT * FROM abstract_entities('');
