/*-------------------------------------------------------------------------
 *
 * name_table.h
 *		Words around names: what a paper introduces, uses, compares with.
 *
 * Folded, sorted. Names of data sets and models are the well known ones;
 * others are told by the words around them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_NAME_TABLE_H
#define ABST_TEXT_NAME_TABLE_H

#include "text/wordlist.h"

/* Verbs by which a paper presents what is new. */
static const char *const introduce_verbs[] = {
	"advance", "advanced", "advances", "advancing", "assemble", "assembled",
	"assembles", "assembling", "build", "building", "builds", "built",
	"construct", "constructed", "constructing", "constructs", "contribute",
	"contributed", "contributes", "contributing", "create", "created",
	"creates", "creating", "curate", "curated", "curates", "curating",
	"describe", "described", "describes", "describing", "design", "designed",
	"designing", "designs", "develop", "developed", "developing", "develops",
	"devise", "devised", "devises", "devising", "engineer", "engineered",
	"engineering", "engineers", "establish", "established", "establishes",
	"establishing", "formulate", "formulated", "formulates", "formulating",
	"give", "gives", "implement", "implemented", "implementing", "implements",
	"introduce", "introduced", "introduces", "introducing", "launch",
	"launched", "launching", "launchs", "offer", "offered", "offering",
	"offers", "open-source", "open-sourced", "open-sources", "open-sourcing",
	"present", "presented", "presenting", "presents", "propose", "proposed",
	"proposes", "proposing", "propound", "propounded", "propounding",
	"propounds", "provide", "provided", "provides", "providing", "publish",
	"published", "publishes", "publishing", "release", "released", "releases",
	"releasing", "unveil", "unveiled", "unveiling", "unveils"
};

/* A name follows. */
static const char *const naming_words[] = {
	"baptised", "baptized", "called", "christened", "codenamed", "coined",
	"denoted", "dubbed", "entitled", "named", "namely", "nicknamed", "termed",
	"titled"
};

/* "We call it NAME". */
static const char *const renaming_verbs[] = {
	"call", "christen", "coin", "denote", "dub", "name", "nickname", "term"
};

/* Nouns for what has a name of its own. */
static const char *const categories[] = {
	"accelerator", "adapter", "agent", "agents", "algorithm", "algorithms",
	"analyzer", "approach", "approaches", "architecture", "architectures",
	"assistant", "attack", "augmentation", "autoencoder", "backbone",
	"baseline", "benchmark", "benchmarks", "challenge", "checker",
	"classifier", "codec", "collection", "compiler", "corpora", "corpus",
	"criterion", "data", "database", "dataset", "datasets", "decoder",
	"defence", "defense", "design", "detector", "dictionary", "discriminator",
	"embedding", "embeddings", "encoder", "engine", "ensemble", "environment",
	"estimator", "evaluator", "extension", "family", "formalism", "format",
	"foundation", "framework", "frameworks", "generator", "grammar", "graph",
	"hypernetwork", "index", "infrastructure", "interface", "kernel", "kit",
	"language", "layer", "leaderboard", "learner", "lexicon", "library",
	"loss", "machine", "measure", "mechanism", "method", "methodology",
	"methods", "metric", "metrics", "model", "models", "module", "modules",
	"network", "networks", "ontology", "operator", "optimiser", "optimizer",
	"package", "paradigm", "parser", "pipeline", "planner", "platform",
	"policy", "predictor", "prior", "procedure", "processor", "program",
	"programme", "project", "prompt", "protocol", "quantizer", "ranker",
	"reasoner", "recipe", "regularizer", "representation", "resource",
	"retriever", "robot", "sampler", "scheme", "score", "scorer", "search",
	"segmenter", "server", "set", "simulator", "software", "solution",
	"solver", "strategy", "study", "suite", "system", "systems", "taxonomy",
	"technique", "techniques", "testbed", "theory", "tokenizer", "tool",
	"toolbox", "toolkit", "tools", "tracker", "transformer", "translator",
	"treebank", "trial", "tuner", "variant", "vehicle", "verifier",
	"workflow", "wrapper"
};

/* Words that may stand between the verb and the name. */
static const char *const new_words[] = {
	"a", "also", "alternative", "an", "and", "another", "automated",
	"automatic", "available", "but", "challenging", "comprehensive", "deep",
	"effective", "efficient", "end-to-end", "fast", "fine-grained", "first",
	"flexible", "free", "fully", "general", "generic", "here", "hereby",
	"high-quality", "highly", "improved", "innovative", "large",
	"large-scale", "lightweight", "modular", "more", "multilingual",
	"multimodal", "neural", "new", "novel", "open", "open-source", "our",
	"plug-and-play", "powerful", "practical", "principled", "probabilistic",
	"publicly", "robust", "scalable", "simple", "small", "so-called", "such",
	"the", "then", "therefore", "this", "thus", "training-free", "two-stage",
	"unified", "versatile", "yet"
};

/* What these describe is new. */
static const char *const novelty_words[] = {
	"first", "innovative", "lightweight", "new", "novel", "open-source",
	"unified"
};

/* A name ends before these: what comes is no noun that it modifies. */
static const char *const after_name[] = {
	"a", "an", "and", "are", "as", "at", "based", "because", "both", "but",
	"by", "can", "combines", "consisting", "could", "for", "from", "has",
	"have", "here", "if", "in", "including", "into", "is", "it", "its", "may",
	"of", "on", "or", "over", "so", "such", "that", "the", "through", "to",
	"together", "under", "using", "via", "was", "we", "were", "when", "where",
	"whereas", "which", "while", "who", "whose", "with", "within", "without"
};

/* The paper or its authors. */
static const char *const self_words[] = {
	"article", "authors", "here", "i", "letter", "manuscript", "our", "ours",
	"paper", "preprint", "report", "study", "thesis", "us", "we", "work"
};

/* What is not the paper's own. */
static const char *const other_words[] = {
	"classical", "common", "earlier", "established", "existing", "famous",
	"known", "latest", "popular", "previous", "previously", "prior", "recent",
	"recently", "standard", "well-known", "widely", "widely-used"
};

/* What a paper says of its own system. */
static const char *const claim_verbs[] = {
	"achieve", "achieved", "achieves", "adapts", "attain", "attained",
	"attains", "beat", "beats", "betters", "combines", "consistently",
	"delivers", "demonstrates", "effectively", "employs", "enabled",
	"enables", "establishes", "exceeded", "exceeds", "excels", "exhibits",
	"generalises", "generalizes", "generates", "improved", "improves",
	"joins", "learns", "lets", "leverages", "matches", "obtained", "obtains",
	"offers", "outperform", "outperformed", "outperforms", "provides",
	"reached", "reaches", "reduced", "reduces", "runs", "scales", "separates",
	"sets", "significantly", "substantially", "successfully", "supports",
	"surpass", "surpassed", "surpasses", "uses", "yields"
};

/* A compound that ends so describes something. */
static const char *const modifier_endings[] = {
	"agnostic", "aided", "assisted", "augmented", "aware", "based", "centric",
	"compatible", "conditioned", "deficient", "dependent", "derived",
	"dominated", "driven", "enabled", "enhanced", "equipped", "finetuned",
	"free", "generated", "guided", "in-the-loop", "induced", "informed",
	"inspired", "level", "like", "loaded", "mediated", "negative", "only",
	"oriented", "positive", "powered", "related", "resistant", "scale",
	"specific", "style", "trained", "treated", "tuned", "type", "wide",
	"wise"
};

/* Kinds of things, no one's system. */
static const char *const generic_names[] = {
	"2d", "3d", "aaai", "acl", "ai", "ann", "anns", "api", "ar", "arxiv",
	"asr", "auc", "auroc", "bert-like", "bp", "cad", "cf", "ci", "cnn",
	"cnns", "cot", "covid", "covid-19", "cp", "cpu", "cpus", "ct", "cuda",
	"cv", "cvpr", "dag", "dags", "dl", "dna", "dnn", "dnns", "eccv", "ecg",
	"eeg", "ehr", "em", "emnlp", "eu", "f1", "fft", "flop", "flops", "fmri",
	"fpga", "gan", "gans", "gcn", "gcns", "gdpr", "github", "gnn", "gnns",
	"gp", "gps", "gpu", "gpus", "hci", "hiv", "hpc", "hsi", "html", "iccv",
	"iclr", "icml", "ict", "id", "iid", "ijcai", "ilp", "iot", "ip", "ir",
	"it", "json", "kb", "kg", "kgs", "kl", "knn", "kv", "latex", "llm",
	"llms", "lm", "lms", "lp", "lrm", "lrms", "lstm", "lstms", "mae", "mcmc",
	"mdp", "mdps", "ml", "mle", "mllm", "mllms", "mlm", "mlp", "mlps", "moe",
	"moes", "mri", "mrna", "mse", "nas", "ner", "neurips", "nlg", "nlp",
	"nlu", "nmt", "nn", "nns", "np", "npu", "ocr", "ode", "odes", "ood", "os",
	"pca", "pcr", "pde", "pdes", "pet", "php", "pomdp", "python", "pytorch",
	"qa", "qoe", "rag", "rct", "rest", "rgb", "rl", "rlhf", "rna", "rnn",
	"rnns", "roc", "sars-cov-2", "sat", "sde", "sdes", "sft", "sgd", "sir",
	"slam", "smt", "snn", "snns", "sota", "sql", "stem", "svm", "svms", "tcp",
	"tensorflow", "tpu", "tpus", "tts", "uav", "uavs", "ucb", "ui", "uk",
	"url", "us", "usa", "vae", "vaes", "vit", "vits", "vlm", "vlms", "vqa",
	"vr", "who", "wikipedia", "wsi", "xai", "xml"
};

/*
 * Well known data sets and benchmarks; a number behind the name does not
 * count.
 */
static const char *const dataset_names[] = {
	"ade20k", "ag-news", "aime", "alpacaeval", "anli", "arc", "arena-hard",
	"audioset", "bbh", "bbq", "beir", "bigbench", "bird", "blimp", "boolq",
	"c4", "caltech", "camvid", "celeba", "charades", "cifar", "citeseer",
	"cityscapes", "civilcomments", "clevr", "clue", "cnn/dailymail", "coco",
	"commoncrawl", "commonsenseqa", "conll", "coqa", "cora", "cub", "cwq",
	"d4rl", "davis", "dbpedia", "docvqa", "drop", "dtd", "ego4d", "emnist",
	"esc", "eurosat", "fashion-mnist", "fb15k", "fever", "ffhq", "flickr30k",
	"flores", "food-101", "freebase", "glue", "gpqa", "gqa", "gsm8k",
	"hellaswag", "hendrycks", "hotpotqa", "humaneval", "ifeval", "ijb",
	"imagenet", "imagenette", "imdb", "inaturalist", "infographicvqa",
	"kinetics", "kitti", "laion", "lambada", "lfw", "librispeech",
	"livecodebench", "longbench", "lsun", "lvis", "math", "math-500", "mbpp",
	"medmcqa", "medqa", "mimic", "mimic-iii", "mimic-iv", "minif2f",
	"mmbench", "mmlu", "mmmu", "mnist", "movielens", "ms-coco", "mscoco",
	"msmarco", "mt-bench", "mujoco", "multinli", "multiwoz", "mvtec",
	"naturalquestions", "nq", "nuscenes", "nyu", "objectnet", "ogb",
	"omniglot", "openbookqa", "openwebtext", "orkut", "pascal", "pathvqa",
	"pems", "penn-treebank", "physionet", "piqa", "places365", "ptb",
	"pubmed", "pubmedqa", "qm9", "qnli", "qqp", "race", "realtoxicityprompts",
	"redpajama", "refcoco", "s3dis", "scan", "scannet", "scienceqa",
	"semeval", "shapenet", "snli", "social-iqa", "spider", "squad", "squad2",
	"sst", "stl-10", "stsb", "super-glue", "superglue", "svhn", "swe-bench",
	"swebench", "tedlium", "textvqa", "the-pile", "timit", "tinyimagenet",
	"trec", "triviaqa", "truthfulqa", "tydiqa", "ucf101", "uspto", "vctk",
	"vggface", "visual-genome", "vizwiz", "voc", "voxceleb", "vqav2", "waymo",
	"webqa", "webqsp", "wikihow", "wikitext", "winogrande", "wmt", "xnli",
	"xsum", "yago", "yelp", "youcook2", "zinc"
};

/* Well known models; a number behind the name does not count. */
static const char *const model_names[] = {
	"adam", "adamw", "albert", "alexnet", "alphafold", "alphago", "alphazero",
	"bart", "bert", "blip", "bloom", "bm25", "catboost", "chatgpt",
	"chinchilla", "claude", "clip", "codellama", "codex", "colbert",
	"controlnet", "convnext", "dall-e", "dalle", "deberta", "deepseek",
	"deit", "densenet", "detr", "dino", "dinov2", "distilbert", "dit", "dqn",
	"efficientnet", "electra", "falcon", "faster-rcnn", "fasttext",
	"flamingo", "flan-t5", "flux", "gat", "gcn", "gemini", "gemma", "glove",
	"gpt", "gpt-j", "gpt-neo", "graphsage", "grok", "gru", "hubert", "imagen",
	"inception", "instructblip", "instructgpt", "internlm", "internvl",
	"lamda", "lightgbm", "llama", "llava", "lora", "lstm", "mamba",
	"mask-rcnn", "megatron", "minilm", "mistral", "mixtral", "mobilenet",
	"moco", "muzero", "nemotron", "nerf", "o1", "o3", "olmo", "opt", "palm",
	"pegasus", "phi", "pix2pix", "ppo", "pythia", "qwen", "resnet",
	"resnet50", "resnext", "roberta", "sac", "sam", "sbert", "scibert",
	"segformer", "simclr", "sora", "specter", "stable-diffusion", "starcoder",
	"stylegan", "swin", "t5", "td3", "transformer", "transformer-xl", "trpo",
	"u-net", "ulmfit", "unet", "vgg", "vicuna", "vilbert", "vit", "wav2vec",
	"wavenet", "whisper", "word2vec", "xgboost", "xlm", "xlm-r", "xlnet",
	"yi", "yolo", "yolov5", "zephyr"
};

/* Behind or before the name of a data set. */
static const char *const dataset_nouns[] = {
	"benchmark", "benchmarks", "collection", "corpora", "corpus", "data-set",
	"data-sets", "dataset", "datasets", "leaderboard", "suite", "testbed",
	"treebank"
};

/* Behind or before the name of a model. */
static const char *const model_nouns[] = {
	"adapter", "adapters", "architecture", "architectures", "backbone",
	"backbones", "baseline", "baselines", "checkpoint", "checkpoints",
	"decoder", "encoder", "encoders", "llm", "llms", "model", "models",
	"network", "networks", "vlm", "vlms"
};

#endif							/* ABST_TEXT_NAME_TABLE_H */
