--
-- Faults of words, names and numbers: what is searched for
-- Each line: the row of the list of text faults, a text, and what is right.
-- Only what is wrong is shown.
--
SET client_encoding = utf8;
-- the lexemes of each token that has some: "GPT-4o" is gpt4o,gpt,4o
CREATE FUNCTION pg_temp.lexemes(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(array_to_string(lexemes, ','), ' ' ORDER BY ordinality)
	FROM abstract_tokens(raw) WITH ORDINALITY WHERE lexemes <> '{}'
$$;
CREATE TEMP TABLE token_case (row int, raw text, want text);
INSERT INTO token_case VALUES
(1, $x$$10^{-5}$, $1.5\times 10^4$ and $p<0.05$$x$, $x$1e-5 1.5e4 p<0.05,0.05$x$),
(23, $x$10² 10^2 2⁵ 2^5 10⁻⁵ 1.0e+05$x$, $x$1e2 1e2 2^5 2^5 1e-5 1.0e5$x$),
(24, $x$３．５％ １，０２４ ＩＬ－６ １０$x$, $x$3.5%,3.5 1024 il6,il,6 10$x$),
(28, $x$−3.2 –4.1 (−2) −3.2–−1.1 1.2-3.4$x$, $x$-3.2 -4.1 -2 -3.2 -1.1 1.2 3.4$x$),
(29, $x$5 µm 5μm 5 um TGF-β TGFβ$x$, $x$5 μm,um 5 μm,um 5 um tgfβ,tgfbeta,tgf,β,beta tgfβ,tgfbeta$x$),
(31, $x$pre- and post-training$x$, $x$pretrain,pre posttrain,post,train$x$),
(31, $x$low-, mid- and high-level$x$, $x$lowlevel,low midlevel,mid highlevel,high,level$x$),
(31, $x$IL-1- and IL-6-induced; 2- or 3-fold$x$, $x$il1induced,il1,il il6induced,il,6,induc 2fold,2 3fold,3,fold$x$),
(31, $x$T- and B-cells; anti-; pre- and then$x$, $x$tcell,t bcell,b,cells anti pre$x$),
(32, $x$represen-
tation, IL-
6, non-
Euclidean, pre-
and post-$x$, $x$represent,represen,tation il6,il,6 noneuclidean,non,euclidean pre post$x$),
(33, $x$mAbs ResNets GraphSAGEs$x$, $x$mabs,mab resnets,resnet graphsage$x$),
(34, $x$C C++ C++11 C#$x$, $x$c c++ c++11 c#$x$),
(34, $x$HLA-B*27:05 CYP2D6*4 O157:H7$x$, $x$hlab*27:05,hla,b*27:05 cyp2d6*4 o157:h7$x$),
(34, $x$1,3-butadiene N,N-dimethyl 2*3$x$, $x$13butadiene,1,3,butadien nndimethyl,n,n,dimethyl 2 3$x$),
(36, $x$10'000 10 000 2 000 1,024$x$, $x$10000 10000 2000 1024$x$),
(36, $x$100 200 300 in 2019 500$x$, $x$100 200 300 2019 500$x$),
(36, $x$5 mg 5mg 37 °C 10 mg/kg 3.2 km/h 16GB 3D 7B$x$, $x$5 mg 5 mg 37 °c,c 10 mg/kg,mg 3.2 km/h,km 16 gb 3d 7b$x$),
(36, $x$3.5‰ 5 patients 10 s$x$, $x$3.5‰,3.5 5 patient 10 s$x$),
(37, $x$0,05 12,5 % (0,1) 3,5$x$, $x$0.05 12.5%,12.5 0 1 3 5$x$),
(41, $x$vitamin A, type I, T cell. A study$x$, $x$vitamin a type i t cell studi$x$),
(41, $x$Here I show a T-cell in group A$x$, $x$show tcell,t,cell group a$x$),
(42, $x$huggingface.example.co/a/b, pages.github.io and (https://a.example/c_(d)).$x$, $x$huggingface.example.co/a/b pages.github.io a.example/c_(d)$x$),
(43, $x$10.1002/(SICI)1097-0258(19980115)17:1<1::AID-SIM1>3.0.CO;2-X$x$, $x$10.1002/(sici)1097-0258(19980115)17:1<1::aid-sim1>3.0.co;2-x$x$),
(43, $x$10.48550/arXiv.2101.00001v2$x$, $x$10.48550/arxiv.2101.00001v2,2101.00001v2$x$),
(44, $x$METHODS: We; MAIN RESULTS: DNA$x$, $x$method main result dna$x$),
(50, $x$l’objectif d'une étude; O'Neil, don't$x$, $x$l objectif d une etud o'neil don't$x$),
(57, $x$THE ROLE OF miRNA IN CANCER$x$, $x$role mirna cancer$x$),
(57, $x$GRAPH NEURAL NETWORKS$x$, $x$graph neural network$x$),
(57, $x$BERT GPT LLM RAG$x$, $x$bert gpt llm rag$x$);
SELECT row, raw, pg_temp.lexemes(raw) AS got, want FROM token_case
WHERE pg_temp.lexemes(raw) IS DISTINCT FROM want ORDER BY row, raw;
SELECT count(*) AS texts, count(DISTINCT row) AS rows FROM token_case;

-- spellings of one name find each other
SELECT a, b FROM (VALUES ('IL-6', 'IL6'), ('IL 6', 'IL-6'), ('few-shot', 'few shot'), ('fewshot', 'few-shot'),
	('x-ray', 'X ray'), ('Xray', 'x-ray'), ('TGF-β', 'TGF-beta'), ('α-helix', 'alpha helix'), ('LLMs', 'LLM'),
	('T-cell', 'T cell'), ('5mg', '5 mg'), ('10,000', '10 000'), ('pre- and post-training', 'pre-training'),
	('COVID–19', 'COVID-19'), ('eﬃcient', 'efficient'), ('Gödel', 'Godel')) v(a, b)
WHERE NOT abstract_vector(NULL, a) @~ b::abstract_query;
