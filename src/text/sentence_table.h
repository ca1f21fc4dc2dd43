/*-------------------------------------------------------------------------
 *
 * sentence_table.h
 *		Words that tell whether a point ends a sentence.
 *
 * Folded, without their last point, sorted. Abbreviations of several
 * languages stand together: none of them is a common word of another at the
 * end of a sentence.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_SENTENCE_TABLE_H
#define ABST_TEXT_SENTENCE_TABLE_H

#include "text/wordlist.h"

/* After these a sentence goes on, whatever follows. */
static const char *const before_more[] = {
	"a.k.a", "abb", "ad.es", "aff", "approx", "assn", "bros", "bspw", "bzgl",
	"bzw", "c.f", "ca", "cf", "d.h", "dept", "dott", "dr", "e.g", "eg", "env",
	"eq", "eqn", "eqns", "eqs", "esp", "evtl", "ex", "excl", "fig", "figs",
	"ggf", "hon", "i.a", "i.e", "ibid", "ie", "incl", "inkl", "loc.cit",
	"mlle", "mme", "mr", "mrs", "n.b", "o.a", "op.cit", "p.ej", "p.ex",
	"par.ex", "prof", "q.v", "ref", "refs", "resp", "rev", "rsp", "s.o",
	"s.t", "s.u", "sgt", "sog", "sra", "srta", "st", "subsp", "suppl", "syn",
	"u.a", "univ", "usf.a", "vgl", "viz", "vs", "w.r.t", "z.b", "zzgl"
};

/* Abbreviations only where a number follows: No. 4, not in 'is no. We'. */
static const char *const before_number[] = {
	"alg", "algs", "app", "appx", "apr", "aug", "bd", "ch", "chap", "chaps",
	"cor", "dec", "def", "defs", "ed", "eds", "exs", "feb", "jan", "jul",
	"jun", "kap", "lect", "lem", "lemm", "ln", "lvl", "mar", "max", "n.o",
	"no", "nos", "nov", "nr", "num", "oct", "para", "paras", "pg", "pgs",
	"pp", "prop", "props", "sec", "secs", "sect", "sep", "sept", "tab",
	"tabs", "thm", "thms", "ver", "vol", "vols", "ziff"
};

/*
 * These may end a sentence: it does if the next word is one that begins
 * sentences.
 */
static const char *const may_end[] = {
	"a.d", "a.m", "al", "auct", "b.c", "b.sc", "bros", "co", "corp", "d.c",
	"d.sc", "e.u", "ecc", "etc", "etc.pp", "gmbh", "inc", "jr", "llc", "ltd",
	"m.d", "m.sc", "nov", "p.m", "ph.d", "phd", "sensu", "sp", "spp", "sr",
	"u.k", "u.n", "u.s", "u.s.a", "u.s.s.r", "u.s.w", "uff", "usw"
};

/* Words that often begin a sentence and are seldom capitalised elsewhere. */
static const char *const starters[] = {
	"a", "about", "above", "according", "accordingly", "across",
	"additionally", "adopting", "after", "afterwards", "again", "against",
	"ainsi", "all", "along", "also", "although", "among", "an", "analyses",
	"analysis", "and", "another", "any", "applying", "are", "as", "assuming",
	"at", "auf", "avec", "based", "because", "before", "bei", "being",
	"besides", "between", "beyond", "both", "building", "but", "by", "can",
	"ce", "ces", "cet", "cette", "code", "compared", "comparing",
	"comprehensive", "con", "concretely", "consequently", "contrary",
	"contrastingly", "could", "crucially", "current", "currently", "dabei",
	"dans", "das", "data", "datasets", "dem", "den", "der", "des", "despite",
	"did", "die", "dies", "diese", "dieser", "dieses", "different", "do",
	"does", "due", "during", "each", "early", "ein", "eine", "einer", "eines",
	"either", "el", "elle", "empirical", "empirically", "en", "enfin", "er",
	"es", "especially", "esta", "estas", "este", "estos", "evaluated",
	"evaluating", "evaluation", "even", "every", "evidence", "existing",
	"experimental", "experimentally", "experiments", "extensive",
	"extensively", "finally", "findings", "first", "firstly", "five",
	"following", "for", "formally", "four", "from", "fundamentally", "fur",
	"further", "furthermore", "generally", "given", "gli", "guided", "has",
	"have", "hence", "here", "herein", "hier", "hierzu", "how", "however",
	"i", "ich", "if", "il", "im", "important", "importantly", "in", "indeed",
	"inspired", "instead", "interestingly", "intuitively", "is", "it", "its",
	"jedoch", "l", "la", "las", "last", "lastly", "later", "le", "les",
	"like", "lo", "los", "ma", "mais", "many", "meanwhile", "methods", "mit",
	"models", "more", "moreover", "most", "motivated", "much", "multiple",
	"my", "nach", "namely", "nel", "nevertheless", "next", "no", "noi",
	"none", "nonetheless", "nos", "nosotros", "not", "notably", "notre",
	"nous", "now", "numerical", "numerically", "o", "of", "often", "on",
	"once", "one", "only", "or", "os", "other", "others", "otherwise", "our",
	"overall", "particularly", "patients", "people", "per", "perhaps", "pero",
	"por", "pour", "previous", "previously", "prior", "questa", "questi",
	"questo", "rather", "recent", "recently", "remarkably", "research",
	"results", "se", "second", "secondly", "several", "sie", "significant",
	"significantly", "similarly", "simulations", "since", "so", "some",
	"specifically", "still", "studies", "subsequently", "such",
	"surprisingly", "systematic", "than", "that", "the", "their", "then",
	"theoretical", "theoretically", "there", "thereafter", "thereby",
	"therefore", "these", "they", "third", "thirdly", "this", "those",
	"though", "three", "through", "throughout", "thus", "to", "today",
	"together", "towards", "traditional", "two", "typically", "ultimately",
	"um", "uma", "un", "una", "under", "une", "unfortunately", "unlike",
	"uno", "unser", "unsere", "until", "using", "usually", "various", "we",
	"were", "what", "when", "where", "whereas", "whether", "which", "while",
	"who", "why", "wir", "with", "within", "without", "yet", "you", "your",
	"zudem"
};

/* After these a single letter is no initial: vitamin A. Levels rose. */
static const char *const before_letter[] = {
	"appendix", "category", "class", "condition", "experiment", "figure",
	"grade", "group", "hepatitis", "influenza", "layer", "level", "panel",
	"part", "phase", "plan", "problem", "scenario", "schedule", "section",
	"serotype", "stage", "step", "strain", "study", "subtype", "table",
	"theorem", "type", "virus", "vitamin"
};

#endif							/* ABST_TEXT_SENTENCE_TABLE_H */
