/*-------------------------------------------------------------------------
 *
 * compile.c
 *		From a query's source to its plan.
 *
 * A word stands in a plain position, where it is one of many that may match,
 * or in an exact one: under '+', AND, NOT, or in a phrase.
 *
 * Plain: the word's lexemes and, as variants, its unstemmed form and that
 * without a plural s (a name such as AdaS is never stemmed in a document).  A
 * compound gives its glue, the parts that say something by themselves, and,
 * if some part does not ("IL-6"), the phrase of its parts.  Two neighbouring
 * words also give their glue ("hyper network" finds "hypernetwork"), where
 * the corpus has it.
 *
 * Exact: the word's lexemes or variants; a compound is its glue or the phrase
 * of its parts; a word that the configuration cuts into several is a phrase.
 *
 * With a configuration over a parser that is not ours only the lexemes it
 * yields are taken; forms and compounds are that parser's business.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "query/compile.h"
#include "query/grammar.h"
#include "query/tree.h"
#include "query/words.h"

/*
 * Neighbours are glued in runs up to this many words.  A longer run is a
 * passage that somebody pasted, not a name that he spells in his own way.
 */
#define MAX_GLUED_RUN	32

/* Compounds of a phrase of which all combinations of spellings are tried. */
#define MAX_COMBINED	3

/* The last position of a document that says anything, see MAXENTRYPOS. */
#define MAX_OFFSET		16381

/* Shortest part of a compound that is searched for by itself. */
#define MIN_PART_CHARS	3

typedef struct Compiler
{
	AbstBuilder *builder;
	Oid			config;
} Compiler;

/* ---- forms of one word ---- */

/* A set of terms, for one word; boosts do not add up in it. */
typedef struct TermSet
{
	AbstBuilder *builder;
	AbstTree   *list;			/* OR */
} TermSet;

static void
begin_set(TermSet *set, AbstBuilder *builder)
{
	set->builder = builder;
	set->list = abst_tree_make(builder, ABST_NODE_OR);
}

static void
add_form(TermSet *set, const char *lexeme, int len, AbstWanted wanted)
{
	uint32		term = abst_builder_term(set->builder, lexeme, len);

	for (AbstTree *node = set->list->first; node; node = node->next)
	{
		if (node->kind == ABST_NODE_TERM && node->term == term)
		{
			if (wanted < node->wanted)
				node->wanted = wanted;
			return;
		}
	}
	abst_tree_add(set->list, abst_tree_term(set->builder, term, wanted));
}

/* The unstemmed form, and that without a plural s. */
static void
add_variants(TermSet *set, const AbstWord *word, AbstWanted wanted)
{
	const char *plain = word->plain;
	int			len = word->plain_len;

	if (plain == NULL || len == 0)
		return;
	add_form(set, plain, len, wanted);
	if (len >= 4 && plain[len - 1] == 's' && plain[len - 2] != 's')
		add_form(set, plain, len - 1, wanted);
}

/* Does a part of a compound say something without the others? */
static bool
part_is_worthy(const AbstLexeme *part)
{
	int			chars = 0;

	for (int i = 0; i < part->len;)
	{
		unsigned char c = part->text[i];

		if (c < 0x80 && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
			return false;
		i += pg_mblen(part->text + i);
		chars++;
	}
	return chars >= MIN_PART_CHARS;
}

/*
 * The parts of a compound as a phrase, from "base" positions after the
 * phrase's first word; NULL if all of them are stop words.
 */
static void
add_parts(AbstBuilder *builder, AbstTree *phrase, const AbstWord *word, int base)
{
	int			nlexemes = word->nlexemes;
	TermSet		set;
	int			at = -1;

	for (int i = word->compound ? 1 : 0; i < nlexemes; i++)
	{
		const AbstLexeme *lexeme = &word->lexemes[i];

		if (base + lexeme->offset > MAX_OFFSET)
			break;
		if (lexeme->offset != at)
		{
			at = lexeme->offset;
			begin_set(&set, builder);
			set.list->offset = base + at;
			abst_tree_add(phrase, set.list);
		}
		add_form(&set, lexeme->text, lexeme->len, ABST_WANTED_ALWAYS);
		/* a word of one lexeme is not cut: its variants stand for it as well */
		if (!word->compound && nlexemes == 1)
			add_variants(&set, word, ABST_WANTED_VARIANT);
	}
}

/*
 * A phrase whose children have been collected: its first word is at offset 0
 * from now on.  What has one word only is that word.
 */
static AbstTree *
finish_phrase(AbstTree *phrase, AbstWanted wanted)
{
	int			base;

	if (phrase->first == NULL)
		return NULL;
	base = phrase->first->offset;
	for (AbstTree *child = phrase->first; child; child = child->next)
		child->offset -= base;
	phrase->wanted = wanted;
	return (phrase->first->next == NULL) ? phrase->first : phrase;
}

/* ---- plain positions ---- */

typedef struct PlainRun
{
	Compiler   *compiler;
	AbstTree   *list;			/* OR that all terms go to */
	int			nterms;			/* terms among its children */
	int			limit;			/* merge equal ones at this many */
	int			nwords;
	char	   *plain[MAX_GLUED_RUN];	/* forms that may be glued, or NULL */
	int			position[MAX_GLUED_RUN];
} PlainRun;

static int
merge_order(const void *a, const void *b)
{
	const AbstTree *x = *(AbstTree *const *) a;
	const AbstTree *y = *(AbstTree *const *) b;

	if (x->term != y->term)
		return (x->term > y->term) ? 1 : -1;
	return (x->wanted > y->wanted) - (x->wanted < y->wanted);
}

/*
 * Merge equal terms of the run.  The canonical form does so as well; doing it
 * on the way keeps the memory for a long text to that of its vocabulary.
 */
static void
merge_run(PlainRun *run)
{
	AbstTree   *list = run->list;
	AbstTree   *child = list->first;
	AbstTree  **terms;
	int			n = 0;

	for (AbstTree *node = child; node; node = node->next)
		n++;
	terms = palloc_extended((Size) n * sizeof(AbstTree *), MCXT_ALLOC_HUGE);
	n = 0;
	list->first = list->last = NULL;
	while (child != NULL)
	{
		AbstTree   *next = child->next;

		if (child->kind == ABST_NODE_TERM)
			terms[n++] = child;
		else
			abst_tree_add(list, child);
		child = next;
	}
	qsort(terms, n, sizeof(AbstTree *), merge_order);
	run->nterms = 0;
	for (int i = 0; i < n; i++)
	{
		if (run->nterms > 0 && merge_order(&list->last, &terms[i]) == 0)
		{
			list->last->boost += terms[i]->boost;
			pfree(terms[i]);
		}
		else
		{
			abst_tree_add(list, terms[i]);
			run->nterms++;
		}
	}
	pfree(terms);
	run->limit = Max(run->limit, 2 * run->nterms);
}

static void
add_term(PlainRun *run, AbstTree *term)
{
	abst_tree_add(run->list, term);
	if (++run->nterms >= run->limit)
		merge_run(run);
}

/* Hand the terms of one word to the run. */
static void
add_set(PlainRun *run, TermSet *set)
{
	AbstTree   *node;

	while ((node = set->list->first) != NULL)
	{
		set->list->first = node->next;
		add_term(run, node);
	}
	pfree(set->list);
}

static void
plain_compound(PlainRun *run, const AbstWord *word)
{
	AbstBuilder *builder = run->compiler->builder;
	TermSet		set;
	bool		whole = true;

	begin_set(&set, builder);
	add_form(&set, word->lexemes[0].text, word->lexemes[0].len,
			 ABST_WANTED_ALWAYS);
	add_variants(&set, word, ABST_WANTED_VARIANT);
	add_set(run, &set);
	for (int i = 1; i < word->nlexemes; i++)
	{
		const AbstLexeme *part = &word->lexemes[i];
		uint32		term;

		if (!part_is_worthy(part))
		{
			whole = false;
			continue;
		}
		term = abst_builder_term(builder, part->text, part->len);
		add_term(run, abst_tree_term(builder, term, ABST_WANTED_ALWAYS));
	}
	if (!whole)
	{
		AbstTree   *phrase = abst_tree_make(builder, ABST_NODE_PHRASE);

		add_parts(builder, phrase, word, 0);
		/* one part alone and unworthy: not worth a search */
		if (phrase->first != NULL && phrase->first->next != NULL)
			abst_tree_add(run->list,
						  finish_phrase(phrase, ABST_WANTED_VARIANT));
	}
}

static void
plain_word(void *arg, const AbstWord *word)
{
	PlainRun   *run = arg;
	TermSet		set;

	if (run->nwords < MAX_GLUED_RUN)
	{
		run->plain[run->nwords] = NULL;
		run->position[run->nwords] = word->position;
		if (word->gluable)
			run->plain[run->nwords] = pnstrdup(word->plain, word->plain_len);
	}
	run->nwords++;
	if (word->nlexemes == 0)
		return;

	if (word->compound)
	{
		plain_compound(run, word);
		return;
	}
	begin_set(&set, run->compiler->builder);
	for (int i = 0; i < word->nlexemes; i++)
		add_form(&set, word->lexemes[i].text, word->lexemes[i].len,
				 ABST_WANTED_ALWAYS);
	add_variants(&set, word, ABST_WANTED_VARIANT);
	add_set(run, &set);
}

/* The glue of two neighbours, read as one word. */
typedef struct Glue
{
	TermSet		set;
	int			nwords;
} Glue;

static void
glued_word(void *arg, const AbstWord *word)
{
	Glue	   *glue = arg;

	glue->nwords++;
	for (int i = 0; i < word->nlexemes; i++)
		add_form(&glue->set, word->lexemes[i].text, word->lexemes[i].len,
				 ABST_WANTED_KNOWN);
	add_variants(&glue->set, word, ABST_WANTED_KNOWN);
}

static bool
has_letter(const char *s)
{
	for (; *s; s++)
		if (*s < '0' || *s > '9')
			return true;
	return false;
}

static void
glue_neighbours(PlainRun *run)
{
	if (run->nwords > MAX_GLUED_RUN)
		return;
	for (int i = 0; i + 1 < run->nwords; i++)
	{
		Glue		glue;
		char	   *text;

		if (run->plain[i] == NULL || run->plain[i + 1] == NULL ||
			run->position[i + 1] != run->position[i] + 1 ||
			!(has_letter(run->plain[i]) || has_letter(run->plain[i + 1])))
			continue;
		begin_set(&glue.set, run->compiler->builder);
		glue.nwords = 0;
		text = psprintf("%s%s", run->plain[i], run->plain[i + 1]);
		abst_words_read(run->compiler->config, text, strlen(text),
						glued_word, &glue);
		if (glue.nwords == 1)
			add_set(run, &glue.set);
	}
}

static void
compile_plain(Compiler *compiler, const char *text, int len, AbstTree *list)
{
	PlainRun   *run = palloc0(sizeof(PlainRun));

	run->compiler = compiler;
	run->list = list;
	run->limit = 4096;
	abst_words_read(compiler->config, text, len, plain_word, run);
	glue_neighbours(run);
}

/* ---- exact positions ---- */

/* A word kept beyond the callback. */
typedef struct PhraseWords
{
	AbstWord   *words;
	int			nwords;
	int			maxwords;
	int			ncompounds;
} PhraseWords;

static void
keep_word(void *arg, const AbstWord *word)
{
	PhraseWords *kept = arg;
	AbstWord   *copy;
	AbstLexeme *lexemes;

	/* stop words are known by the gap they leave */
	if (word->nlexemes == 0)
		return;
	if (kept->nwords == kept->maxwords)
	{
		kept->maxwords = Max(16, kept->maxwords * 2);
		if (kept->words == NULL)
			kept->words = palloc(kept->maxwords * sizeof(AbstWord));
		else
			kept->words = repalloc_huge(kept->words,
										(Size) kept->maxwords * sizeof(AbstWord));
	}
	copy = &kept->words[kept->nwords++];
	*copy = *word;
	lexemes = palloc(word->nlexemes * sizeof(AbstLexeme));
	for (int i = 0; i < word->nlexemes; i++)
	{
		lexemes[i] = word->lexemes[i];
		lexemes[i].text = pnstrdup(word->lexemes[i].text, word->lexemes[i].len);
	}
	copy->lexemes = lexemes;
	if (word->plain != NULL)
		copy->plain = pnstrdup(word->plain, word->plain_len);
	if (word->compound)
		kept->ncompounds++;
}

/*
 * The phrase of the words in which bit i of "glued" says whether the i-th
 * compound stands as its glue: then it takes one position, and what follows
 * moves up.
 */
static AbstTree *
spell_phrase(AbstBuilder *builder, const PhraseWords *kept, uint32 glued)
{
	AbstTree   *phrase = abst_tree_make(builder, ABST_NODE_PHRASE);
	int			first = kept->words[0].position;
	int			saved = 0;
	int			compound = 0;

	for (int i = 0; i < kept->nwords; i++)
	{
		const AbstWord *word = &kept->words[i];
		int			base = word->position - first - saved;
		bool		as_glue;

		CHECK_FOR_INTERRUPTS();
		if (base > MAX_OFFSET)
			break;
		as_glue = word->compound && (glued & (1U << compound)) != 0;
		if (word->compound && compound < MAX_COMBINED)
			compound++;
		if (as_glue)
		{
			TermSet		set;

			begin_set(&set, builder);
			set.list->offset = base;
			add_form(&set, word->lexemes[0].text, word->lexemes[0].len,
					 ABST_WANTED_ALWAYS);
			add_variants(&set, word, ABST_WANTED_VARIANT);
			abst_tree_add(phrase, set.list);
			saved += word->width - 1;
		}
		else
			add_parts(builder, phrase, word, base);
	}
	return finish_phrase(phrase, ABST_WANTED_ALWAYS);
}

/* Words that must stand side by side; NULL if all are stop words. */
static AbstTree *
compile_exact(Compiler *compiler, const char *text, int len)
{
	PhraseWords kept = {0};
	AbstTree   *spellings;
	uint32		ncombined;
	uint32		last;

	abst_words_read(compiler->config, text, len, keep_word, &kept);
	if (kept.nwords == 0)
		return NULL;
	if (kept.ncompounds == 0)
		return spell_phrase(compiler->builder, &kept, 0);

	/*
	 * Every combination for few compounds; with many all are spelled alike
	 * from the last bit on, and only the two uniform spellings are tried.
	 */
	ncombined = Min(kept.ncompounds, MAX_COMBINED);
	last = (1U << ncombined) - 1;
	spellings = abst_tree_make(compiler->builder, ABST_NODE_OR);
	for (uint32 glued = 0; glued <= last; glued++)
	{
		if (kept.ncompounds > MAX_COMBINED)
		{
			if (glued != 0 && glued != last)
				continue;
			/* the bit that all further compounds look at */
			abst_tree_add(spellings,
						  spell_phrase(compiler->builder, &kept,
									   glued == 0 ? 0 : ~(uint32) 0));
		}
		else
			abst_tree_add(spellings,
						  spell_phrase(compiler->builder, &kept, glued));
	}
	return spellings;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/*
 * A run of words in exact positions: any of them, each by itself.  Only
 * ASCII blanks part them here; others are left to the configuration.
 */
static void
compile_exact_run(Compiler *compiler, const char *text, int len, AbstTree *list)
{
	const char *end = text + len;

	while (text < end)
	{
		const char *start;

		while (text < end && is_blank(*text))
			text++;
		start = text;
		while (text < end && !is_blank(*text))
			text++;
		if (text > start)
			abst_tree_add(list, compile_exact(compiler, start, text - start));
	}
}

/* ---- the tree ---- */

static AbstTree *compile_node(Compiler *compiler, const AbstSyntax *syntax,
							  bool exact);

/*
 * Clauses side by side: with required ones, all of them and none of the
 * excluded, and the plain ones add to the score; without, any of the plain
 * ones and none of the excluded.
 */
static AbstTree *
compile_seq(Compiler *compiler, const AbstSyntax *seq, bool exact)
{
	AbstBuilder *builder = compiler->builder;
	AbstTree   *required = abst_tree_make(builder, ABST_NODE_AND);
	AbstTree   *plain = abst_tree_make(builder, ABST_NODE_OR);
	bool		musts = false;
	AbstTree   *excluded = abst_tree_make(builder, ABST_NODE_AND);

	for (const AbstSyntax *clause = seq->first; clause; clause = clause->next)
	{
		if (clause->kind == ABST_SYNTAX_NOT)
			abst_tree_add(excluded, compile_node(compiler, clause, true));
		else if (clause->must)
		{
			AbstTree   *must = compile_node(compiler, clause, true);

			abst_tree_add(required, must);
			musts |= (must != NULL);
		}
		else if (clause->kind == ABST_SYNTAX_WORDS && !exact)
			compile_plain(compiler, clause->text, clause->len, plain);
		else
			abst_tree_add(plain, compile_node(compiler, clause, exact));
	}

	if (!musts)
		abst_tree_add(required, plain->first ? plain : NULL);
	abst_tree_add(required, excluded->first ? excluded : NULL);
	if (required->first == NULL)
		return NULL;
	if (musts && plain->first != NULL)
	{
		AbstTree   *opt = abst_tree_make(builder, ABST_NODE_OPT);

		abst_tree_add(opt, required);
		abst_tree_add(opt, plain);
		return opt;
	}
	return required;
}

static AbstTree *
compile_node(Compiler *compiler, const AbstSyntax *syntax, bool exact)
{
	AbstTree   *node = NULL;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	switch (syntax->kind)
	{
		case ABST_SYNTAX_WORDS:
			node = abst_tree_make(compiler->builder, ABST_NODE_OR);
			if (exact)
				compile_exact_run(compiler, syntax->text, syntax->len, node);
			else
				compile_plain(compiler, syntax->text, syntax->len, node);
			return node->first ? node : NULL;
		case ABST_SYNTAX_PHRASE:
			return compile_exact(compiler, syntax->text, syntax->len);
		case ABST_SYNTAX_SEQ:
			return compile_seq(compiler, syntax, exact);
		case ABST_SYNTAX_AND:
			node = abst_tree_make(compiler->builder, ABST_NODE_AND);
			exact = true;
			break;
		case ABST_SYNTAX_OR:
			node = abst_tree_make(compiler->builder, ABST_NODE_OR);
			break;
		case ABST_SYNTAX_NOT:
			node = abst_tree_make(compiler->builder, ABST_NODE_NOT);
			exact = true;
			break;
	}
	for (const AbstSyntax *child = syntax->first; child; child = child->next)
		abst_tree_add(node, compile_node(compiler, child, exact));
	return node->first ? node : NULL;
}

void
abst_compile_search(const char *text, int len, Oid config,
					AbstDfLookup lookup, void *arg, AbstPlan *plan)
{
	Compiler	compiler;
	AbstSyntax *syntax = abst_grammar_read(text, len);

	compiler.builder = abst_builder_make();
	compiler.config = config;
	abst_tree_finish(compiler.builder, compile_seq(&compiler, syntax, false),
					 lookup, arg, plan);
}

void
abst_compile_like(const AbstDoc *doc, AbstDfLookup lookup, void *arg,
				  AbstPlan *plan)
{
	memset(plan, 0, sizeof(AbstPlan));
	plan->kind = ABST_PLAN_LIKE;
	plan->nterms = doc->nterms;
	plan->terms = palloc_extended((Size) Max(doc->nterms, 1) *
								  sizeof(AbstPlanTerm),
								  MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int i = 0; i < doc->nterms; i++)
	{
		plan->terms[i].lexeme = doc->terms[i].lexeme;
		plan->terms[i].len = doc->terms[i].len;
		plan->terms[i].tf = doc->terms[i].tf;
	}
	plan->like_norm = doc->norm;
	if (lookup != NULL && plan->nterms > 0)
		lookup(arg, plan->terms, plan->nterms);
	abst_plan_derive(plan);
}
