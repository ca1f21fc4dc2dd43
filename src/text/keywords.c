/*-------------------------------------------------------------------------
 *
 * keywords.c
 *		The phrases that tell what a text is about.
 *
 * Candidates are runs of one to four words between function words, verbs and
 * other words that papers of every field are full of (RAKE; Rose et al. 2010),
 * and every piece of such a run that can stand alone.  A candidate is worth
 * the weights of its words, which grow with their frequency in the text and
 * with their rarity in a corpus (or, without one, are small for words of a
 * list), times factors for its length, frequency, place and form.  Of
 * candidates that contain one another the best one stays.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include <math.h>

#include "common/hashfn.h"
#include "miscadmin.h"
#include "text/charclass.h"
#include "text/keyword_table.h"
#include "utils/hsearch.h"

#define MAX_WORDS		4

/* So many different candidates and words are kept; bounds the memory. */
#define MAX_CANDIDATES	200000

/* Factors, chosen on ten abstracts with known phrases; see src/README.md. */
static const double length_factor[] = {0, 0.60, 1.0, 1.05, 0.80};

#define PLAIN_WEIGHT		0.30	/* of a word of the list */
#define NAME_WEIGHT			1.35	/* of a name, acronym or compound */
#define CAPITALS_FACTOR		1.25
#define EXPANDED_FACTOR		1.50	/* long form of an acronym */
#define SYSTEM_FACTOR		1.40
#define INNER_FACTOR		0.60	/* never ends a run */
#define TAIL_FACTOR			0.85	/* never begins one */
#define EARLY_FACTOR		0.35	/* how much the first sentence adds */

/* What a token is for keywords. */
typedef enum WordSort
{
	SORT_BREAK,					/* ends a run */
	SORT_PLAIN,
	SORT_CONTENT,
	SORT_NAME
} WordSort;

typedef struct Word
{
	uint64		hash;			/* of its folded singular */
	WordSort	sort;
	bool		joined;			/* one blank between it and the next */
} Word;

/* Frequency and rarity of a word; the key is its hash. */
typedef struct WordFigures
{
	uint64		hash;
	int			count;
	double		weight;
} WordFigures;

typedef struct Candidate
{
	uint64		hash;			/* key: of its words */
	AbstSpan	span;
	int			token;			/* first token of the first occurrence */
	int			nwords;
	int			count;
	bool		opens;			/* begins a run somewhere */
	bool		closes;			/* ends a run somewhere */
	bool		capitals;		/* stands capitalised somewhere */
	bool		expanded;		/* is the long form of an acronym */
	bool		system;
	bool		left_out;		/* another form of a candidate */
	uint64		words[MAX_WORDS];
	double		score;
} Candidate;

typedef struct Extractor
{
	const AbstText *text;
	AbstWordRarity rarity;
	void	   *arg;
	AbstAcronym *acronyms;
	int			nacronyms;
	Word	   *words;
	HTAB	   *figures;
	HTAB	   *candidates;
} Extractor;

static bool
ends_with(const char *s, int len, const char *ending)
{
	int			n = strlen(ending);

	return len > n && pg_strncasecmp(s + len - n, ending, n) == 0;
}

/* A word without the s of the plural, folded and hashed. */
static uint64
word_hash(const char *s, int len)
{
	int			n;
	char	   *folded = abst_fold(s, len, &n);
	uint64		hash;
	int			kept = 0;

	if (n > 3 && folded[n - 1] == 's' && folded[n - 2] == '\'')
		n -= 2;
	if (n > 4 && memcmp(folded + n - 3, "ies", 3) == 0)
	{
		n -= 2;
		folded[n - 1] = 'y';
	}
	else if (n > 3 && folded[n - 1] == 's' && folded[n - 2] != 's' &&
			 folded[n - 2] != 'u' && folded[n - 2] != 'i')
		n--;
	/* few-shot is fewshot */
	for (int i = 0; i < n; i++)
		if (folded[i] != '-')
			folded[kept++] = folded[i];
	hash = hash_bytes_extended((unsigned char *) folded, kept, 0);
	pfree(folded);
	return hash;
}

static WordSort
word_sort(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	const char *s = text->plain->text +t->start;
	int			len = t->len;

	switch (t->type)
	{
		case ABST_TOK_NAME:
			return *s >= '0' && *s <= '9' ? SORT_BREAK :
				abst_has_upper(s, len) ? SORT_NAME : SORT_BREAK;
		case ABST_TOK_ACRONYM:
			return SORT_NAME;
		case ABST_TOK_CJK:
			return len <= 24 ? SORT_CONTENT : SORT_BREAK;
		case ABST_TOK_COMPOUND:
			if ((*s >= '0' && *s <= '9') ||
				ABST_LISTED(weak_words, s, len))
				return SORT_BREAK;
			return SORT_NAME;
		case ABST_TOK_WORD:
			break;
		default:
			return SORT_BREAK;
	}
	if (len < 3 || ABST_LISTED(function_words, s, len) ||
		ABST_LISTED(weak_words, s, len))
		return SORT_BREAK;
	if (ends_with(s, len, "ly") && !ABST_LISTED(ly_nouns, s, len))
		return SORT_BREAK;
	/* "we establish", "that disentangles", "to condition the" */
	if (token > 0 && abst_gap_is_space(text, token - 1) &&
		!abst_begins_upper(text, token))
	{
		const AbstToken *before = t - 1;
		const char *b = text->plain->text +before->start;

		/* "that" may also stand before a noun */
		if ((abst_token_is(text, token - 1, "that") ||
			 abst_token_is(text, token - 1, "which")) &&
			!ends_with(s, len, "s") && !ends_with(s, len, "ed"))
			;
		else if (ABST_LISTED(clause_words, b, before->len) &&
				 (!abst_token_is(text, token - 1, "to") ||
				  (token + 1 < text->ntokens &&
				   ABST_LISTED(determiners, text->plain->text +(t + 1)->start,
							   (t + 1)->len))))
			return SORT_BREAK;
	}
	return ABST_LISTED(plain_words, s, len) ? SORT_PLAIN : SORT_CONTENT;
}

static HTAB *
make_table(const char *name, Size entry)
{
	HASHCTL		control = {0};

	control.keysize = sizeof(uint64);
	control.entrysize = entry;
	control.hcxt = CurrentMemoryContext;
	return hash_create(name, 256, &control,
					   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* The entry of a hash, made if there is room; NULL if there is none. */
static void *
table_entry(HTAB * table, uint64 hash, Size entry, bool *found)
{
	char	   *place;

	if (hash_get_num_entries(table) >= MAX_CANDIDATES)
	{
		place = hash_search(table, &hash, HASH_FIND, found);
		return place;
	}
	place = hash_search(table, &hash, HASH_ENTER, found);
	if (!*found)
		memset(place + sizeof(uint64), 0, entry - sizeof(uint64));
	return place;
}

/* Labels of sections are none of the text's words. */
static void
leave_out_labels(Extractor *e)
{
	const AbstText *text = e->text;
	int			n;
	AbstSection *sections = abst_sections_find(text, &n);

	for (int i = 0; i < n; i++)
		for (int token = abst_token_at(text, sections[i].label.start);
			 sections[i].label.len > 0 && token < text->ntokens &&
			 text->tokens[token].start < sections[i].label.start +
			 sections[i].label.len; token++)
			e->words[token].sort = SORT_BREAK;
	pfree(sections);
}

/* In the long form of an acronym any word counts: large language models. */
static void
keep_long_forms(Extractor *e)
{
	const AbstText *text = e->text;

	for (int i = 0; i < e->nacronyms; i++)
	{
		AbstSpan	full = e->acronyms[i].full;
		int			token = abst_token_at(text, full.start);

		CHECK_FOR_INTERRUPTS();
		for (int n = 0; n < MAX_WORDS && token + n < text->ntokens &&
			 text->tokens[token + n].start < full.start + full.len; n++)
		{
			const AbstToken *t = &text->tokens[token + n];

			if (e->words[token + n].sort == SORT_BREAK &&
				t->type == ABST_TOK_WORD &&
				ABST_LISTED(weak_words, text->plain->text +t->start, t->len))
				e->words[token + n].sort = SORT_PLAIN;
			/* its head noun may be one that every field has */
			if (e->words[token + n].sort == SORT_PLAIN &&
				abst_token_end(t) >= full.start + full.len)
				e->words[token + n].sort = SORT_CONTENT;
		}
	}
}

/* What every token is, and how often each word occurs. */
static void
read_words(Extractor *e)
{
	const AbstText *text = e->text;

	e->words = palloc_extended(sizeof(Word) * Max(text->ntokens, 1),
							   MCXT_ALLOC_HUGE);
	for (int token = 0; token < text->ntokens; token++)
	{
		CHECK_FOR_INTERRUPTS();
		e->words[token].sort = word_sort(text, token);
		e->words[token].joined = abst_gap_is_space(text, token);
	}
	keep_long_forms(e);
	leave_out_labels(e);
	for (int token = 0; token < text->ntokens; token++)
	{
		const AbstToken *t = &text->tokens[token];
		Word	   *word = &e->words[token];
		WordFigures *figures;
		bool		found;

		CHECK_FOR_INTERRUPTS();
		if (word->sort == SORT_BREAK)
			continue;
		word->hash = word_hash(text->plain->text +t->start, t->len);
		figures = table_entry(e->figures, word->hash, sizeof(WordFigures),
							  &found);
		if (figures == NULL)
			continue;
		figures->count++;
		if (found)
			continue;
		figures->weight = word->sort == SORT_PLAIN ? PLAIN_WEIGHT :
			word->sort == SORT_NAME ? NAME_WEIGHT : 1.0;
		if (e->rarity)
			figures->weight *= 0.25 +
				e->rarity(e->arg, text->plain->text +t->start, t->len);
	}
}

/* Can a phrase end with this word? */
static bool
may_end(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	const char *s = text->plain->text +t->start;

	if (t->type != ABST_TOK_WORD)
		return true;
	return !ends_with(s, t->len, "ed") && !ends_with(s, t->len, "ive") &&
		!ends_with(s, t->len, "ous") && !ends_with(s, t->len, "ful") &&
		!ends_with(s, t->len, "able") && !ends_with(s, t->len, "ible") &&
		!ends_with(s, t->len, "al") && !ends_with(s, t->len, "ary") &&
		!ends_with(s, t->len, "less");
}

/* Two or more words, each with a capital; or one in the middle of a text. */
static bool
in_capitals(const AbstText *text, int token, int n)
{
	for (int i = 0; i < n; i++)
		if (!abst_begins_upper(text, token + i))
			return false;
	return n > 1;
}

static void
add_candidate(Extractor *e, int token, int n)
{
	const AbstText *text = e->text;
	uint64		hash = n;
	Candidate  *candidate;
	bool		found;
	bool		content = false;

	for (int i = 0; i < n; i++)
	{
		hash = hash_combine64(hash, e->words[token + i].hash);
		content = content || e->words[token + i].sort > SORT_PLAIN;
	}
	if (!content || !may_end(text, token + n - 1))
		return;
	candidate = table_entry(e->candidates, hash, sizeof(Candidate), &found);
	if (candidate == NULL)
		return;
	candidate->count++;
	candidate->opens = candidate->opens || token == 0 ||
		e->words[token - 1].sort == SORT_BREAK || !e->words[token - 1].joined;
	candidate->closes = candidate->closes || token + n == text->ntokens ||
			   !e->words[token + n - 1].joined ||
				e->words[token + n].sort == SORT_BREAK;

	candidate->capitals = candidate->capitals || in_capitals(text, token, n);
	if (found)
		return;
	candidate->token = token;
	candidate->nwords = n;
	candidate->span.start = text->tokens[token].start;

	candidate->span.len = abst_token_end(&text->tokens[token + n - 1]) -
		candidate->span.start;
	for (int i = 0; i < n; i++)
		candidate->words[i] = e->words[token + i].hash;
}

static void
find_candidates(Extractor *e)
{
	const AbstText *text = e->text;

	for (int token = 0; token < text->ntokens; token++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int n = 1; n <= MAX_WORDS && token + n <= text->ntokens; n++)
		{
			if (e->words[token + n - 1].sort == SORT_BREAK)
				break;
			add_candidate(e, token, n);
			if (!e->words[token + n - 1].joined)
				break;
		}
	}
}

/* The candidate that stands at a place of the text, if there is one. */
static Candidate *
candidate_at(Extractor *e, AbstSpan span)
{
	const AbstText *text = e->text;
	int			token = abst_token_at(text, span.start);
	int			n = 0;
	uint64		hash;

	while (token + n < text->ntokens && n <= MAX_WORDS &&
		   text->tokens[token + n].start < span.start + span.len)
		n++;
	if (n == 0 || n > MAX_WORDS)
		return NULL;
	hash = n;
	for (int i = 0; i < n; i++)
		hash = hash_combine64(hash, e->words[token + i].hash);
	return hash_search(e->candidates, &hash, HASH_FIND, NULL);
}

/* Long forms and systems are what a text is about. */
static void
mark_names(Extractor *e)
{
	AbstList	mentions;

	for (int i = 0; i < e->nacronyms; i++)
	{
		Candidate  *full = candidate_at(e, e->acronyms[i].full);
		Candidate  *brief = candidate_at(e, e->acronyms[i].brief);

		CHECK_FOR_INTERRUPTS();
		if (full == NULL)
			continue;
		full->expanded = true;
		if (brief == NULL || brief == full || brief->left_out)
			continue;
		/* both are one thing, which the long form names */
		full->count += brief->count;
		brief->left_out = true;
	}
	abst_list_init(&mentions, sizeof(AbstMention));
	abst_names_find(e->text, &mentions);
	for (int i = 0; i < mentions.n; i++)
	{
		AbstMention *mention = &((AbstMention *) mentions.entries)[i];
		Candidate  *candidate;

		CHECK_FOR_INTERRUPTS();
		if (mention->kind != ABST_MENTION_SYSTEM)
			continue;
		candidate = candidate_at(e, mention->span);
		if (candidate)
		{
			candidate->system = true;
			candidate->left_out = false;
		}
	}
}

static double
word_weight(Extractor *e, uint64 hash)
{
	WordFigures *figures = hash_search(e->figures, &hash, HASH_FIND, NULL);

	return figures ? figures->weight * (1 + log(figures->count)) : 0;
}

static void
score(Extractor *e, Candidate *candidate)
{
	double		sum = 0;
	int			sentence = abst_sentence_at(e->text, candidate->span.start);

	for (int i = 0; i < candidate->nwords; i++)
		sum += word_weight(e, candidate->words[i]);
	candidate->score = sum / sqrt(candidate->nwords) *
		length_factor[candidate->nwords] *
		(1 + 0.5 * log(candidate->count)) *
		(1 + EARLY_FACTOR / (1 + sentence));
	if (!candidate->closes)
		candidate->score *= INNER_FACTOR;
	if (!candidate->opens)
		candidate->score *= TAIL_FACTOR;
	if (candidate->capitals)
		candidate->score *= CAPITALS_FACTOR;
	if (candidate->expanded)
		candidate->score *= EXPANDED_FACTOR;
	if (candidate->system)
		candidate->score *= SYSTEM_FACTOR;
}

static int
cmp_candidates(const void *left, const void *right)
{
	const Candidate *a = *(const Candidate *const *) left;
	const Candidate *b = *(const Candidate *const *) right;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	return b->nwords - a->nwords;
}

/* Are all words of one among the words of the other? */
static bool
contains(const Candidate *large, const Candidate *small)
{
	for (int i = 0; i < small->nwords; i++)
	{
		bool		found = false;

		for (int j = 0; j < large->nwords && !found; j++)
			found = small->words[i] == large->words[j];
		if (!found)
			return false;
	}
	return true;
}

AbstKeyword *
abst_keywords_find(const AbstText *text, int limit, AbstWordRarity rarity,
				   void *arg, int *n)
{
	Extractor	e = {0};
	HASH_SEQ_STATUS walk;
	Candidate  *candidate;
	Candidate **order;
	Candidate **chosen;
	AbstKeyword *keywords;
	int			ncandidates = 0;
	int			nchosen = 0;

	e.text = text;

	e.rarity = rarity;
	e.arg = arg;
	e.figures = make_table("abstracts keyword words", sizeof(WordFigures));
	e.candidates = make_table("abstracts keywords", sizeof(Candidate));
	e.acronyms = abst_acronyms_find(text, &e.nacronyms);
	read_words(&e);
	find_candidates(&e);
	mark_names(&e);

	order = palloc(sizeof(Candidate *) *
				   Max(hash_get_num_entries(e.candidates), 1));
	hash_seq_init(&walk, e.candidates);
	while ((candidate = hash_seq_search(&walk)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (candidate->left_out)
			continue;
		score(&e, candidate);
		order[ncandidates++] = candidate;
	}
	qsort(order, ncandidates, sizeof(Candidate *), cmp_candidates);

	limit = Min(limit, ncandidates);
	chosen = palloc(sizeof(Candidate *) * Max(limit, 1));
	for (int i = 0; i < ncandidates && nchosen < limit; i++)
	{
		bool		new = true;

		for (int j = 0; j < nchosen && new; j++)
		{
			CHECK_FOR_INTERRUPTS();
			new = !contains(chosen[j], order[i]) &&
				!contains(order[i], chosen[j]);
		}
		if (new)
			chosen[nchosen++] = order[i];
	}
	keywords = palloc0(sizeof(AbstKeyword) * Max(nchosen, 1));
	for (int i = 0; i < nchosen; i++)
	{
		keywords[i].span = chosen[i]->span;
		keywords[i].count = chosen[i]->count;
		keywords[i].score = chosen[i]->score / chosen[0]->score;
	}
	hash_destroy(e.candidates);
	hash_destroy(e.figures);
	*n = nchosen;
	return keywords;
}
