--
-- Tokens: what is one token, of which type, and the lexemes of each.
--
SET client_encoding = utf8;
-- "kind token=lexeme,lexeme" for every token of a text
CREATE FUNCTION pg_temp.read(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(kind || ' ' || token || '=' || coalesce(array_to_string(lexemes, ','), '?'),
					  ' | ' ORDER BY ordinality)
	FROM abstract_tokens(raw) WITH ORDINALITY
$$;
CREATE TEMP TABLE token_case (row text, raw text, want text);
INSERT INTO token_case VALUES
-- formulas
('1', $x$$\tilde{O}(1)$$x$ || ' ', 'math Õ(1)=o(1)'),
('1', 'O(1)', 'math O(1)=o(1)'),
('1', 'O(n log n) f(x) a(n) s(he)', 'math O(n log n)=o(nlogn),log | math f(x)=f(x) | word a= | word n=n | word s= | word he='),
('1', $x$$k$-NN kNN k-nn$x$, 'compound k-NN=knn,k,nn | name kNN=knn | compound k-nn=knn,k,nn'),
('1', $x$x^2 $x^2$ x² n^{-1/2}$x$, 'math x^2=x2 | name x²=x2 | name x²=x2 | math n^(-1/2)=n(-1/2)'),
('1', $x$$\sigma^2\to\kappa$.$x$, 'math σ² → κ=σ2→κ,sigma2→kappa,σ2,sigma2,κ,kappa'),
-- accents, ligatures, widths
('7', 'Gödel Godel G\"odel Łódź Lodz', 'word Gödel=godel | word Godel=godel | word Gödel=godel | word Łódź=lodz | word Lodz=lodz'),
('20', U&'Schro\0308dinger Schr\00F6dinger Schrodinger', U&'word Schr\00F6dinger=schroding | word Schr\00F6dinger=schroding | word Schrodinger=schroding'),
('21', 'eﬃcient efficient ﬁne ﬂow', 'word eﬃcient=effici | word efficient=effici | word ﬁne=fine | word ﬂow=flow'),
('22', 'Cæsar Caesar œuvre straße', 'word Cæsar=caesar | word Caesar=caesar | word œuvre=oeuvr | word straße=strass'),
('23', 'CO₂ CO2 Ca²⁺ Ca2+ R² R2', 'name CO₂=co2 | name CO2=co2 | name Ca²⁺=ca2+ | name Ca2+=ca2+ | name R²=r2 | name R2=r2'),
('23', '10⁻⁵ 10^-5 1e-5 3.2×10⁻⁵ 3.2 x 10^-5', 'number 10⁻⁵=1e-5 | number 10^-5=1e-5 | number 1e-5=1e-5 | number 3.2×10⁻⁵=3.2e-5 | number 3.2 x 10^-5=3.2e-5'),
('24', 'ＧＰＴ　１２', 'acronym ＧＰＴ=gpt | number １２=12'),
-- quotes and possessives
('25', '“two” O’Neil''s O''Neil patient’s', 'word two=two | word O’Neil''s=o''neil | word O''Neil=o''neil | word patient’s=patient'),
('25', '5′ end, 5''-UTR, 3′-UTR', 'number 5′=5'',5 | word end=end | compound 5''-UTR=5''utr,5,utr | compound 3′-UTR=3''utr,3,utr'),
('39', 'LLMs LLM''s LLM’s (MLLMs)'' GNNs RNAs mRNAs MoEs ResNets', 'acronym LLMs=llm | acronym LLM''s=llm | acronym LLM’s=llm | acronym MLLMs=mllm | acronym GNNs=gnn | acronym RNAs=rna | name mRNAs=mrna | name MoEs=moe | name ResNets=resnets,resnet'),
-- hyphens
('26', U&'trans\00ADformer zero\200Bwidth', 'word transformer=transform | word zerowidth=zerowidth'),
('27', U&'COVID-19 COVID\201119 COVID\201319 COVID--19', 'compound COVID-19=covid19,covid,19 | compound COVID‑19=covid19,covid,19 | compound COVID–19=covid19,covid,19 | compound COVID–19=covid19,covid,19'),
('28', '−3.2 Δ=−1 x = -2.5 a-3', 'number −3.2=-3.2 | greek Δ=δ,delta | number −1=-1 | word x=x | number -2.5=-2.5 | compound a-3=a3,3'),
('29', 'β-catenin beta µm μm TNFα NF-κB α', 'compound β-catenin=βcatenin,betacatenin,β,beta,catenin | word beta=beta | name µm=μm,um | name μm=μm,um | name TNFα=tnfα,tnfalpha | compound NF-κB=nfκb,nfkappab,nf,κb,kappab | greek α=α,alpha'),
('30', 'few-shot few shot fewshot', 'compound few-shot=fewshot,shot | word few= | word shot=shot | word fewshot=fewshot'),
('30', 'state-of-the-art k-means n-gram pre-trained pretrained', 'compound state-of-the-art=stateoftheart,state,art | compound k-means=kmean,k,means | compound n-gram=ngram,n,gram | compound pre-trained=pretrain,pre,train | word pretrained=pretrain'),
('30', 'vision--language wide---open', 'compound vision–language=visionlanguag,vision,languag | word wide=wide | word open=open'),
-- names
('33', 'TimeBoX mBERT scikit-learn pH CamelCases', 'name TimeBoX=timebox | name mBERT=mbert | compound scikit-learn=scikitlearn,scikit,learn | name pH=ph | name CamelCases=camelcases,camelcase'),
('34', 'GPT-4o C++ C# C .NET ImageNet-1k FPR@95', 'compound GPT-4o=gpt4o,gpt,4o | name C++=c++ | name C#=c# | name C=c | name .NET=.net | compound ImageNet-1k=imagenet1k,imagenet,1k | name FPR@95=fpr@95'),
('34', 'IL-6 IL6 p53 Llama-3.1-8B CD4+ A* R&D AT&T', 'compound IL-6=il6,il,6 | name IL6=il6 | name p53=p53 | compound Llama-3.1-8B=llama3.18b,llama,3.1,8b | name CD4+=cd4+ | name A*=a* | name R&D=r&d | name AT&T=at&t'),
('34', 'snake_case Node.js v1.2.3 1.2.3 U.S. e.g. 3D 1st 95B 224x224 224×224', 'name snake_case=snake_case | name Node.js=node.js | name v1.2.3=v1.2.3 | name 1.2.3=1.2.3 | name U.S=us | name e.g=eg | name 3D=3d | name 1st=1st | name 95B=95b | name 224x224=224x224 | name 224×224=224x224'),
('35', 'mRNA/protein and/or w/o uv/ir Au+Au', 'compound mRNA/protein=mrna/protein,mrna,protein | compound and/or=and/or | compound w/o=w/o,w,o | compound uv/ir=uv/ir,uv,ir | compound Au+Au=au+au,au,au'),
('35', 'few-shot/zero-shot', 'compound few-shot/zero-shot=fewshot/zeroshot,fewshot,shot,zeroshot,zero,shot'),
-- numbers
('36', '93.5% (95% CI 1.2-3.4) 5 %', 'percent 93.5%=93.5%,93.5 | percent 95%=95%,95 | acronym CI=ci | number 1.2=1.2 | number 3.4=3.4 | percent 5 %=5%,5'),
('36', '1,024 1,024,000.5 1,02 3x 26.1× 4x. On', 'number 1,024=1024 | number 1,024,000.5=1024000.5 | number 1=1 | number 02=02 | number 3x=3x,3 | number 26.1×=26.1x,26.1 | number 4x=4x,4 | word On='),
('36', '+4.2 p<.05 2019-2021 12–15 10,000-step 4-bit', 'number +4.2=4.2 | word p=p | number .05=0.05 | number 2019=2019 | number 2021=2021 | number 12=12 | number 15=15 | compound 10,000-step=10000step,10000,step | compound 4-bit=4bit,4,bit'),
-- acronyms and stop words
('41', 'IT staff, the WHO, vitamin A, US data', 'acronym IT=it | word staff=staff | word the= | acronym WHO=who | word vitamin=vitamin | name A=a | acronym US=us | word data=data'),
('57', 'ON THE USE OF DNA IN CASES', 'word ON= | word THE= | word USE=use | word OF= | word DNA=dna | word IN= | word CASES=case'),
-- links
('42', 'https://git.example/a_b. (https://a.example/c_(d)) <http://x.example/y>', 'url https://git.example/a_b=git.example/a_b | url https://a.example/c_(d)=a.example/c_(d) | url http://x.example/y=x.example/y'),
('42', 'see github.com/Some/repo-x, www.foo.org/. and you@mail.example.org', 'word see=see | url github.com/Some/repo-x=github.com/some/repo-x | url www.foo.org/=foo.org | word and= | email you@mail.example.org=you@mail.example.org'),
('43', 'doi:10.1234/AB.C-5(6), https://doi.org/10.1234/ab. 10.5555/12345678)', 'doi doi:10.1234/AB.C-5(6)=10.1234/ab.c-5(6) | doi https://doi.org/10.1234/ab=10.1234/ab | doi 10.5555/12345678=10.5555/12345678'),
('43', 'arXiv:2101.00001v2 hep-th/9901001 arXiv:hep-th/9901001v3 https://arxiv.org/abs/2101.00001', 'arxiv arXiv:2101.00001v2=2101.00001,2101.00001v2 | arxiv hep-th/9901001=hep-th/9901001 | arxiv arXiv:hep-th/9901001v3=hep-th/9901001,hep-th/9901001v3 | arxiv https://arxiv.org/abs/2101.00001=2101.00001'),
('43', '2101.00001 2101.00001v3', 'number 2101.00001=2101.00001 | arxiv 2101.00001v3=2101.00001,2101.00001v3'),
-- glued sentences
('44', 'tested.METHODS: failures.Overall (p<0.05).We rise.In', 'word tested=test | word METHODS=method | word failures=failur | word Overall=overal | word p=p | number 0.05=0.05 | word We= | word rise=rise | word In='),
-- other scripts
('51', '深度学习模型 日本語 猫 번역을', 'cjk 深度学习模型=深度,度学,学习,习模,模型 | cjk 日本語=日本,本語 | cjk 猫=猫 | cjk 번역을=번역,역을'),
('51', 'BERT模型 3种', 'acronym BERT=bert | cjk 模型=模型 | number 3=3 | cjk 种=种'),
('52', 'РНК PHK Привет', 'acronym РНК=рнк | acronym PHK=phk | word Привет=привет');

SELECT row, raw, pg_temp.read(raw) AS got, want
FROM token_case WHERE pg_temp.read(raw) IS DISTINCT FROM want
ORDER BY row, raw;
SELECT count(*) > 40 AS all_read FROM token_case;

-- places are characters of the raw text, from 1
SELECT token, start, length, substr(raw, start, length) AS there, lexemes, position
FROM (VALUES ('**Über** $\tilde{O}(n)$ of \textbf{14}\% R&amp;D, the state-of-the-art ﬁnal.')) v(raw),
	abstract_tokens(raw) ORDER BY start;
-- another parser's tokens, and a configuration without our dictionaries
SELECT * FROM abstract_tokens('The quick fox-trot at foo.com', 'pg_catalog.english');
SELECT * FROM abstract_tokens('');
SELECT * FROM abstract_tokens('x', 'no_such_configuration');

-- the tokens cover the display text
SELECT count(*) FILTER (WHERE p.whole IS DISTINCT FROM abstract_plain(raw)) AS gaps
FROM token_case, LATERAL (SELECT string_agg(token, '' ORDER BY ordinality) AS whole
	FROM ts_parse('abstracts', raw) WITH ORDINALITY) p;
SELECT tokid, alias, description FROM ts_token_type('abstracts') ORDER BY tokid;

-- ts_headline shows display text, compounds and links included
SELECT ts_headline('abstracts', 'A **few-shot** test of \emph{graphs}: see https://a.example/b and $\tilde{O}(1)$.',
	to_tsquery('abstracts', 'shot | graph'), 'HighlightAll=true');
SELECT ts_headline('abstracts', 'A **few-shot** test of \emph{graphs}: see https://a.example/b and $\tilde{O}(1)$.',
	to_tsquery('abstracts', 'graph'), 'MinWords=3, MaxWords=12');

-- options of the dictionaries
CREATE TEXT SEARCH DICTIONARY pg_temp.bad (TEMPLATE = abstracts_compound, stopwords = english);
CREATE TEXT SEARCH DICTIONARY pg_temp.bad (TEMPLATE = abstracts_compound, dictionary = no_such);
CREATE TEXT SEARCH DICTIONARY pg_temp.bad (TEMPLATE = abstracts_name, dictionary = simple);
CREATE TEXT SEARCH DICTIONARY pg_temp.plain (TEMPLATE = abstracts_compound, dictionary = pg_catalog.simple);
SELECT ts_lexize('pg_temp.plain', 'Pre-trained-models');
SELECT ts_lexize('abstracts_compound', 'Pre-trained-models');
SELECT ts_lexize('abstracts_fold', 'plain'), ts_lexize('abstracts_fold', 'ÉCOLE');
-- the filter stands before any dictionary
CREATE TEXT SEARCH CONFIGURATION pg_temp.french (PARSER = abstracts);
ALTER TEXT SEARCH CONFIGURATION pg_temp.french
	ADD MAPPING FOR word, acronym WITH abstracts_fold, pg_catalog.french_stem;
SELECT to_tsvector('pg_temp.french', 'Les ÉTUDES récentes et les œuvres');

-- every object has a comment
SELECT count(*) AS without_comment FROM pg_depend d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'abstracts')
  AND d.classid IN ('pg_proc'::regclass, 'pg_ts_config'::regclass, 'pg_ts_dict'::regclass,
	'pg_ts_parser'::regclass, 'pg_ts_template'::regclass)
  AND obj_description(d.objid, (SELECT relname FROM pg_class WHERE oid = d.classid)) IS NULL;

-- long words are cut, not lost; the rest of a cut word is no word
SELECT kind, char_length(token), char_length(lexemes[1]) FROM abstract_tokens(repeat('x', 5000) || ' end');
SELECT kind, octet_length(token), octet_length(lexemes[1]) FROM abstract_tokens(repeat('é', 2000));
SELECT kind, octet_length(token), octet_length(lexemes[1]) FROM abstract_tokens(repeat('猫', 1000));
