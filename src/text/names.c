/*-------------------------------------------------------------------------
 *
 * names.c
 *		Names of systems, data sets and models.
 *
 * A system is what the paper introduces: the name behind "we propose",
 * "called", "our method,", before ", a new ...", at the head of a title with
 * a colon.  Where a text never says so, evidence adds up: the name is the
 * subject of claims, it comes back, it begins sentences.  Kinds of things
 * (LLMs, RL, what has a long form in lower case), well known models and data
 * sets are no one's system.
 *
 * Data sets and models are known by the lists, or by the noun next to them.
 * Each name is given once for each kind.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "text/charclass.h"
#include "text/name_table.h"
#include "utils/hsearch.h"

/* Tokens looked at behind a verb, and in an apposition. */
#define MAX_AHEAD		14

/* Evidence for a system, and how much is enough. */
#define EVIDENCE_SURE	10
#define EVIDENCE_CLAIM	2
#define EVIDENCE_ENOUGH 3

/* What is known of a name. */
typedef struct NameFacts
{
	uint64		hash;			/* key: of the name as it is written */
	AbstSpan	first;			/* where it stands first */
	AbstSpan	introduced;		/* where the paper introduces it */
	int			evidence;
	int			count;
	int			subject;		/* begins sentences before a verb */
	bool		generic;		/* a kind of thing, or another name's short
								 * form */
	bool		dataset;
	bool		model;
} NameFacts;

typedef struct Finder
{
	const AbstText *text;
	HTAB	   *names;
	AbstAcronym *acronyms;
	int			nacronyms;
} Finder;

/* A sentence: its tokens, and what is said in it. */
typedef struct Clause
{
	int			first;
	int			last;			/* behind the last token */
	bool		own;			/* speaks of the paper or its authors */
	bool		introduces;		/* has a verb of introduction */
	bool		novel;			/* ... or says that something is new */
} Clause;

static const char *
word(const AbstText *text, int token)
{
	return text->plain->text +text->tokens[token].start;
}

#define IS(list, token) \
	((token) >= 0 && (token) < text->ntokens && \
	 ABST_LISTED(list, word(text, token), text->tokens[token].len))

/* A token without its possessive. */
static AbstSpan
name_span(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	const char *s = word(text, token);
	AbstSpan	span;

	span.start = t->start;
	span.len = t->len;
	if (t->len > 2 && s[t->len - 1] == 's' && s[t->len - 2] == '\'')
		span.len -= 2;
	else if (t->len > 4 && s[t->len - 1] == 's' &&
			 memcmp(s + t->len - 4, "\xE2\x80\x99", 3) == 0)
		span.len -= 4;
	return span;
}

/* In the list, with or without what stands behind its first part? */
static bool
listed_name(const char *const *list, int n, const char *s, int len)
{
	int			head = 0;

	if (abst_word_listed(list, n, s, len))
		return true;
	while (head < len && s[head] != '-' && s[head] != '_' && s[head] != '@' &&
		   !(head > 1 && s[head] >= '0' && s[head] <= '9'))
		head++;
	if (head >= len || head < 2)
		return false;
	/* Llama-3, CIFAR100, but not BERT-of-Theseus */
	for (int i = head; i < len; i++)
		if (s[i] >= '0' && s[i] <= '9')
			return abst_word_listed(list, n, s, head);
	return false;
}

#define KNOWN(list, span) \
	listed_name(list, lengthof(list), text->plain->text + (span).start, \
				(span).len)

/* Does the compound describe something (Transformer-based, LLM-guided)? */
static bool
is_modifier(const AbstText *text, int token)
{
	const AbstToken *t = &text->tokens[token];
	const char *s = word(text, token);
	int			last = t->len;

	if (t->type != ABST_TOK_COMPOUND)
		return false;
	while (last > 0 && s[last - 1] != '-')
		last--;
	if (last == 0)
		return false;
	if (ABST_LISTED(modifier_endings, s + last, t->len - last))
		return true;
	/* LLM-in-the-loop: a kind of thing with lower case behind it */
	for (int i = 0; i < t->len; i++)
		if (s[i] == '-')
			return ABST_LISTED(generic_names, s, i) &&
				!abst_has_upper(s + i, t->len - i);
	return false;
}

/* Has the token the shape of a name? */
static bool
is_name(const AbstText *text, int token)
{
	const AbstToken *t;
	const char *s;
	uint32		cp;
	int			upper = 0;

	if (token < 0 || token >= text->ntokens)
		return false;
	t = &text->tokens[token];
	s = word(text, token);
	if (t->len < 2 || t->len > 60 || (*s >= '0' && *s <= '9'))
		return false;
	switch (t->type)
	{
		case ABST_TOK_ACRONYM:
			return s[t->len - 1] != 's';
		case ABST_TOK_NAME:
			return abst_has_upper(s, t->len) && s[1] != '.';
		case ABST_TOK_COMPOUND:
			if (is_modifier(text, token))
				return false;
			/* far-OOD, pre-RNN: a kind of thing, qualified */
			if (*s >= 'a' && *s <= 'z')
			{
				int			last = t->len;

				while (last > 0 && s[last - 1] != '-')
					last--;
				if (ABST_LISTED(generic_names, s + last, t->len - last))
					return false;
			}
			/* a capital inside, or two parts that begin with one */
			for (int i = 0; i < t->len;)
			{
				int			n = abst_utf8_decode(s + i, t->len - i, &cp);

				upper += abst_char_class(cp) == ABST_CHAR_UPPER;
				if (i > 0 && abst_char_class(cp) == ABST_CHAR_UPPER)
					return memchr(s, '/', t->len) == NULL;
				i += n;
			}
			return upper > 0 && s[t->len - 1] >= '0' && s[t->len - 1] <= '9';
		default:
			return false;
	}
}

/* A plain word with a capital, where none is needed. */
static bool
is_capitalised(const AbstText *text, int token)
{
	return token >= 0 && token < text->ntokens &&
	text	  ->tokens[token].type == ABST_TOK_WORD &&
	text->tokens[token].len > 2 && abst_begins_upper(text, token);
}

static char
gap_first(const AbstText *text, int token)
{
	AbstSpan	gap = abst_gap_after(text, token);

	for (int i = gap.start; i < gap.start + gap.len && i < gap.start + 8; i++)
		if (text->plain->text[i] != ' ' && text->plain->text[i] != '"')
			return text->plain->text[i];

	return gap.len == 0 ? '\0' : ' ';
}

static NameFacts *
get_name(Finder *finder, AbstSpan span)
{
	const char *s = finder->text->plain->text +span.start;
	uint64		hash = hash_bytes_extended((const unsigned char *) s, span.len,
										   0);
	bool		found;
	NameFacts  *name = hash_search(finder->names, &hash, HASH_ENTER, &found);

	if (!found)
	{
		memset((char *) name + sizeof(uint64), 0,
			   sizeof(NameFacts) - sizeof(uint64));
		name->first = span;
		name->generic = ABST_LISTED(generic_names, s, span.len);
	}
	return name;
}

/* Evidence that the name of a token is the paper's own. */
static void
add_evidence(Finder *finder, AbstSpan span, int evidence)
{
	NameFacts  *name = get_name(finder, span);

	if (evidence >= EVIDENCE_SURE && name->introduced.len == 0)
		name->introduced = span;
	name->evidence += evidence;
}

/*
 * The paper introduces the name.  One that is known from other papers must be
 * "explained": there it is what this paper is about, or another of that name.
 */
static void
introduce(Finder *finder, int token, bool explained)
{
	const AbstText *text = finder->text;
	AbstSpan	span = name_span(text, token);

	if (ABST_LISTED(generic_names, text->plain->text +span.start, span.len))
		return;
	if (!explained && (KNOWN(model_names, span) || KNOWN(dataset_names, span)))
		return;
	if (get_name(finder, span)->generic)
		return;
	add_evidence(finder, span, EVIDENCE_SURE);
}

/* Does a name end with this token, rather than modify the next? */
static bool
name_ends(const AbstText *text, int token, bool indefinite)
{
	AbstSpan	gap = abst_gap_after(text, token);

	if (token + 1 >= text->ntokens || gap.len != 1 ||
		text->plain->text[gap.start] != ' ')
		return true;
	if (IS(after_name, token + 1))
		return true;
	return !indefinite && IS(categories, token + 1);
}

/* Names in a row: "A, B and C", from the first on. */
static void
introduce_list(Finder *finder, int token, int end, bool explained)
{
	const AbstText *text = finder->text;

	introduce(finder, token, explained);
	for (int i = 0; i < 4; i++)
	{
		int			next = token + 1;

		if (abst_token_is(text, next, "and") || abst_token_is(text, next, "or"))
			next++;
		else if (gap_first(text, token) != ',')
			return;
		if (abst_token_is(text, next, "and"))
			next++;
		if (next >= end || !is_name(text, next) ||
			!name_ends(text, next, false))
			return;
		introduce(finder, next, false);
		token = next;
	}
}

/* Behind a verb of introduction: the name that is its object. */
static void
read_object(Finder *finder, const Clause *clause, int verb)
{
	const AbstText *text = finder->text;
	int			token = verb + 1;
	bool		indefinite = false;

	for (; token < clause->last && token - verb < MAX_AHEAD &&
		 IS(new_words, token); token++)
	{
		if (abst_token_is(text, token, "a") || abst_token_is(text, token, "an"))
			indefinite = true;
	}
	if (token >= clause->last)
		return;
	if (is_name(text, token))
	{
		char		c = gap_first(text, token);

		if (name_ends(text, token, indefinite))
			introduce_list(finder, token, clause->last,
						   c == ',' || c == '(' || c == ':');
		return;
	}
	/* an ordinary word as a name */
	if (token == verb + 1 && is_capitalised(text, token) &&
		strchr(",(:", gap_first(text, token)) != NULL &&
		gap_first(text, token) != '\0')
		introduce(finder, token, false);
}

/* Behind "called" and the like. */
static void
read_named(Finder *finder, const Clause *clause, int token)
{
	const AbstText *text = finder->text;

	if (abst_token_is(text, token, "as"))
		token++;
	if (token < clause->last && (is_name(text, token) ||
								 is_capitalised(text, token)))
	{
		/* several words with capitals are a phrase, with or without (ABC) */
		if (is_capitalised(text, token) && is_capitalised(text, token + 1) &&
			abst_gap_is_space(text, token))
			return;
		introduce_list(finder, token, clause->last, true);
	}
}

/* "we call it NAME", "which we name NAME", "referred to as NAME" */
static void
read_renaming(Finder *finder, const Clause *clause, int verb)
{
	const AbstText *text = finder->text;
	int			token = verb + 1;

	while (token < clause->last && token - verb < 4 &&
		   (abst_token_is(text, token, "it") || abst_token_is(text, token, "to") ||
			abst_token_is(text, token, "this") ||
			abst_token_is(text, token, "the") ||
			abst_token_is(text, token, "our") ||
			IS(categories, token)))
		token++;
	read_named(finder, clause, token);
}

/* Words before "token" say that something belongs to others. */
static bool
of_others(const AbstText *text, int first, int token)
{
	for (int i = Max(first, token - 6); i < token; i++)
		if (IS(other_words, i))
			return true;
	return false;
}

/* Does the text speak of itself before the verb? */
static bool
own_subject(const AbstText *text, int first, int verb)
{
	const AbstToken *t = &text->tokens[verb];

	for (int i = verb - 1; i >= first && verb - i <= MAX_AHEAD; i--)
		if (IS(self_words, i))
			return true;
	/* "by introducing", or at the beginning */
	return t->len > 4 && memcmp(word(text, verb) + t->len - 3, "ing", 3) == 0 &&
		(verb == first || abst_token_is(text, verb - 1, "by"));
}

/* "NAME, a new framework": what follows the comma is new. */
static void
read_apposition(Finder *finder, const Clause *clause, int token)
{
	const AbstText *text = finder->text;
	bool		category = false;

	if (gap_first(text, token) != ',' ||
		!(abst_token_is(text, token + 1, "a") ||
		  abst_token_is(text, token + 1, "an") ||
		  abst_token_is(text, token + 1, "the") ||
		  abst_token_is(text, token + 1, "our")))
		return;
	for (int i = token + 1; i < clause->last && i < token + 7; i++)
	{
		bool		listed = clause->own && clause->introduces &&
		abst_token_is(text, token - 1, "and") && IS(categories, i);

		/* "we propose A, a layer, and B, a benchmark" */
		if (i > token + 1 &&
			(listed || (IS(novelty_words, i) &&
						(clause->own || clause->first == token))))
		{
			introduce(finder, token, false);
			return;
		}
		category = category || IS(categories, i);
		if (gap_first(text, i) == ',')
			break;
	}
	if (category && (clause->first == token ||
					 (clause->own && clause->introduces)))
		add_evidence(finder, name_span(text, token), EVIDENCE_CLAIM);
}

/* "NAME is a new framework": token is the name. */
static void
read_predicate(Finder *finder, const Clause *clause, int token)
{
	const AbstText *text = finder->text;
	bool		novel = false;

	if (!abst_token_is(text, token + 1, "is") ||
		!(abst_token_is(text, token + 2, "a") ||
		  abst_token_is(text, token + 2, "an") ||
		  abst_token_is(text, token + 2, "the")))
		return;
	for (int i = token + 3; i < clause->last && i < token + 10; i++)
	{
		novel = novel || IS(novelty_words, i);
		if (IS(categories, i))
		{
			if (novel)
				introduce(finder, token, false);
			else
				add_evidence(finder, name_span(text, token), EVIDENCE_CLAIM);
			return;
		}
	}
}

/* "the proposed NAME", "our method NAME", "our method, NAME,", "our NAME" */
static void
read_own(Finder *finder, const Clause *clause, int token)
{
	const AbstText *text = finder->text;
	int			next = token + 1;
	bool		proposed;

	while (next < clause->last && next < token + 4 && IS(new_words, next))
		next++;
	proposed = abst_token_is(text, next, "proposed");
	next += proposed;
	if (!abst_token_is(text, token, "our") && !proposed)
		return;
	if (is_name(text, next) && (proposed ||
								(text->tokens[next].type != ABST_TOK_ACRONYM &&
								 name_ends(text, next, false))))
	{
		if (proposed)
			introduce(finder, next, false);
		else
			add_evidence(finder, name_span(text, next), EVIDENCE_CLAIM);
		return;
	}
	/* our two words, NAME, */
	for (int i = next; i < clause->last && i < next + 4; i++)
		if (IS(categories, i))
		{
			char		c = gap_first(text, i);

			if (is_name(text, i + 1) &&
				(c == ' ' || c == '(' || (c == ',' && strchr(",(", gap_first(text, i + 1)))))
				introduce(finder, i + 1, false);
			return;
		}
}

/* Evidence from what a name does. */
static void
read_subject(Finder *finder, const Clause *clause, int token)
{
	const AbstText *text = finder->text;
	AbstSpan	span = name_span(text, token);
	NameFacts  *name = get_name(finder, span);
	int			next = token + 1;

	name->count++;
	if (next >= clause->last || !abst_gap_is_space(text, token))
		return;
	if (IS(claim_verbs, next) && !abst_token_is(text, token - 1, "of"))
	{
		/* "while GPT achieves" says little; at the head of what is said more */
		if (clause->first == token || abst_token_is(text, token - 1, "that") ||
			token - clause->first < 8)
			name->evidence += EVIDENCE_CLAIM;
	}
	if (clause->first == token &&
		text->tokens[next].type == ABST_TOK_WORD &&
		!abst_begins_upper(text, next) && !IS(categories, next) &&
		word(text, next)[text->tokens[next].len - 1] == 's')
		name->subject++;
}

/* "NAME: what it does" at the head of the text or of a line. */
static void
read_title(Finder *finder, const Clause *clause)
{
	const AbstText *text = finder->text;
	AbstSpan	gap = abst_gap_after(text, clause->first);

	if (clause->first != 0 || text->tokens[0].start != 0 || gap.len < 2 ||
		text->plain->text[gap.start] != ':')
		return;
	if (is_name(text, 0) && clause->last - clause->first > 3)
	{
		AbstSection *sections;
		int			n;

		/* a label of a section is no name */
		sections = abst_sections_find(text, &n);
		if (n > 0 && sections[0].label.len > 0)
			return;
		introduce(finder, 0, false);
	}
}

/* Pairs of forms: what is a kind of thing, what a name of the paper's. */
static void
read_acronyms(Finder *finder)
{
	const AbstText *text = finder->text;

	for (int i = 0; i < finder->nacronyms; i++)
	{
		const AbstAcronym *pair = &finder->acronyms[i];
		int			brief = abst_token_at(text, pair->brief.start);
		int			full = abst_token_at(text, pair->full.start);
		int			last = abst_token_at(text, pair->full.start +
										 pair->full.len) - 1;
		int			before = full - 1;
		bool		capitals = true;
		bool		plural;
		bool		named;
		NameFacts  *name;

		CHECK_FOR_INTERRUPTS();
		if (brief >= text->ntokens || pair->brief_first)
			continue;
		plural = abst_acronym_singular(word(text, brief),
									   text->tokens[brief].len) <
			text	  ->tokens[brief].len;

		for (int t = full; t <= last; t++)
			if (!abst_begins_upper(text, t) && !IS(after_name, t))
				capitals = false;
		name = get_name(finder, name_span(text, brief));
		/* the short form of one name */
		if (full == last && is_name(text, full))
		{
			name->generic = true;
			continue;
		}
		if (plural || name->generic)
		{
			name->generic = true;
			continue;
		}
		named = IS(naming_words, before) ||
			(abst_token_is(text, before, "as") && IS(naming_words, before - 1));
		/* the direct object of "we propose" */
		if (!named)
		{
			bool		indefinite = false;
			int			sentence = abst_sentence_at(text, pair->full.start);
			int			first = abst_token_at(text,
											  text->sentences[sentence].start);

			while (before >= first && full - before < 8 &&
				   IS(new_words, before))
			{
				indefinite = indefinite || abst_token_is(text, before, "a") ||
					abst_token_is(text, before, "an");
				before--;
			}
			if (IS(introduce_verbs, before) &&
				own_subject(text, first, before))
				named = name_ends(text, brief, indefinite) ||
					!IS(categories, brief + 1) ||
					(capitals && !indefinite);
			if (named && gap_first(text, brief) == ')')
			{
				AbstSpan	gap = abst_gap_after(text, brief);
				bool		noun = gap.len == 2 &&
				!IS(after_name, brief + 1);

				/* "a random matrix theory (RMT) framework" */
				if (noun && (!capitals || indefinite))
					named = false;
				/* "by reinforcement learning (RL)" is not new by its name */
				if (indefinite && !capitals && IS(generic_names, brief))
					named = false;
			}
			/* "a method, Long Form (ABC)" */
			if (!named && capitals && full > first &&
				gap_first(text, full - 1) == ',')
				for (int t = full - 1; t >= first && full - t < MAX_AHEAD; t--)
					if (IS(introduce_verbs, t) && own_subject(text, first, t))
						named = true;
		}
		if (named)
			introduce(finder, brief, false);
		else if (!capitals)
			name->generic = true;
	}
}

static void
read_clause(Finder *finder, Clause *clause)
{
	const AbstText *text = finder->text;

	for (int token = clause->first; token < clause->last; token++)
	{
		clause->own = clause->own || IS(self_words, token);
		clause->introduces = clause->introduces || IS(introduce_verbs, token);
		clause->novel = clause->novel || IS(novelty_words, token);
	}
	read_title(finder, clause);
	for (int token = clause->first; token < clause->last; token++)
	{
		CHECK_FOR_INTERRUPTS();
		if (IS(introduce_verbs, token) &&
			!of_others(text, clause->first, token) &&
			own_subject(text, clause->first, token))
			read_object(finder, clause, token);
		if (IS(naming_words, token) && (clause->own || clause->novel) &&
			!of_others(text, clause->first, token))
			read_named(finder, clause, token + 1);
		if (IS(renaming_verbs, token) && abst_token_is(text, token - 1, "we"))
			read_renaming(finder, clause, token);
		if ((abst_token_is(text, token, "refer") ||
			 abst_token_is(text, token, "referred")) && clause->own)
			read_renaming(finder, clause, token);
		if (abst_token_is(text, token, "our") ||
			abst_token_is(text, token, "the"))
			read_own(finder, clause, token);
		if (is_name(text, token))
		{
			read_apposition(finder, clause, token);
			read_predicate(finder, clause, token);
			read_subject(finder, clause, token);
		}
	}
}

/* ---- data sets and models ---- */

/* Is one of the names in a row with the name at "token" of this kind? */
static int
noun_behind(const AbstText *text, int token)
{
	for (int i = 0; i < 8; i++)
	{
		char		c = gap_first(text, token);
		int			next = token + 1;

		if (IS(dataset_nouns, next) && c == ' ')
			return 1;
		if (IS(model_nouns, next) && c == ' ')
			return 2;
		if (c != ',' && c != ' ')
			return 0;
		if (abst_token_is(text, next, "and") || abst_token_is(text, next, "or"))
			next++;
		else if (c != ',')
			return 0;
		if (abst_token_is(text, next, "and"))
			next++;
		if (!is_name(text, next))
			return 0;
		token = next;
	}
	return 0;
}

/* "datasets such as A, B", "experiments on A and B": first name of the row. */
static int
noun_before(const AbstText *text, int token)
{
	int			at = token - 1;

	for (int i = 0; i < 8 && at > 0; i++)
	{
		if ((abst_token_is(text, at, "and") || gap_first(text, at) == ',') &&
			is_name(text, at - (abst_token_is(text, at, "and") ? 1 : 0)))
			at -= abst_token_is(text, at, "and") ? 2 : 1;
		else
			break;
	}
	if (abst_token_is(text, at, "as") && abst_token_is(text, at - 1, "such"))
		at -= 2;
	else if (abst_token_is(text, at, "including") ||
			 abst_token_is(text, at, "like") ||
			 abst_token_is(text, at, "e.g"))
		at--;
	else
	{
		/* "experiments on A", "evaluated on A" */
		if (abst_token_is(text, at, "on"))
			for (int i = at - 1; i >= 0 && i > at - 4; i--)
				if (abst_token_is(text, i, "experiments") ||
					abst_token_is(text, i, "evaluated") ||
					abst_token_is(text, i, "evaluations") ||
					abst_token_is(text, i, "evaluation") ||
					abst_token_is(text, i, "tested") ||
					abst_token_is(text, i, "benchmarked"))
					return 1;
		return 0;
	}
	return IS(dataset_nouns, at) ? 1 : IS(model_nouns, at) ? 2 : 0;
}

static void
read_kinds(Finder *finder)
{
	const AbstText *text = finder->text;

	for (int token = 0; token < text->ntokens; token++)
	{
		AbstSpan	span;
		NameFacts  *name;
		int			kind;
		bool		shaped = is_name(text, token);

		CHECK_FOR_INTERRUPTS();
		if (!shaped && !is_capitalised(text, token))
			continue;
		span = name_span(text, token);
		/* capitalised words only if they are known: Adam, Mamba */
		if (KNOWN(dataset_names, span))
			kind = 1;
		else if (KNOWN(model_names, span))
			kind = 2;
		else if (!shaped || ABST_LISTED(generic_names, text->plain->text +
										span.start, span.len))
			continue;
		else if (span.len > 5 && pg_strncasecmp(text->plain->text +span.start +
												span.len - 5, "bench", 5) == 0)
			kind = 1;
		else
		{
			kind = noun_behind(text, token);
			if (kind == 0)
				kind = noun_before(text, token);
			if (kind == 0)
				continue;
		}
		/* an ordinary word at the head of a sentence is no name */
		if (!shaped && token ==
			abst_token_at(text, text->sentences[abst_sentence_at(text,
																 span.start)].start))
			continue;
		name = get_name(finder, span);
		if (name->generic && !KNOWN(model_names, span) &&
			!KNOWN(dataset_names, span))
			continue;
		name->dataset = name->dataset || kind == 1;
		name->model = name->model || kind == 2;
	}
}

/* The paper's own data set: "we present X, a new benchmark". */
static bool
is_own_dataset(const AbstText *text, AbstSpan span)
{
	int			token = abst_token_at(text, span.start);
	int			sentence = abst_sentence_at(text, span.start);
	int			end = text->sentences[sentence].start +
	text->sentences[sentence].len;

	for (int i = token + 1; i < text->ntokens && i < token + 12 &&
		 text->tokens[i].start < end; i++)
	{
		if (IS(dataset_nouns, i))
			return true;
		if (IS(model_nouns, i) || abst_token_is(text, i, "framework") ||
			abst_token_is(text, i, "method"))
			return false;
	}
	return false;
}

static void
add_name(AbstList *mentions, const AbstText *text, AbstMentionKind kind,
		 AbstSpan span)
{
	AbstMention *mention = abst_list_add(mentions);

	mention->kind = kind;
	mention->span = span;
	mention->value = pnstrdup(text->plain->text +span.start, span.len);
}

void
abst_names_find(const AbstText *text, AbstList *mentions)
{
	Finder		finder = {0};
	HASHCTL		control = {0};
	HASH_SEQ_STATUS walk;
	NameFacts  *name;

	finder.text = text;

	control.keysize = sizeof(uint64);
	control.entrysize = sizeof(NameFacts);
	control.hcxt = CurrentMemoryContext;
	finder.names = hash_create("abstracts names", 64, &control,
							   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	finder.acronyms = abst_acronyms_find(text, &finder.nacronyms);
	read_acronyms(&finder);
	for (int i = 0; i < text->nsentences; i++)
	{
		Clause		clause = {0};

		clause.first = abst_token_at(text, text->sentences[i].start);
		clause.last = text->ntokens;

		if (i + 1 < text->nsentences)
			clause.last = abst_token_at(text, text->sentences[i + 1].start);
		read_clause(&finder, &clause);
	}
	read_kinds(&finder);

	hash_seq_init(&walk, finder.names);
	while ((name = hash_seq_search(&walk)) != NULL)
	{
		int			evidence = name->evidence;
		bool		known = KNOWN(model_names, name->first) ||
		KNOWN(dataset_names, name->first);

		CHECK_FOR_INTERRUPTS();
		evidence += Min(name->subject, 2) + (name->count > 2);
		if (name->introduced.len > 0 ||
			(evidence >= EVIDENCE_ENOUGH && !name->generic && !known &&
			 !name->dataset && !name->model))
		{
			AbstSpan	span = name->introduced.len > 0 ? name->introduced :
			name->first;

			add_name(mentions, text, ABST_MENTION_SYSTEM, span);
			name->dataset = name->dataset || is_own_dataset(text, span);
			name->model = false;
		}
		if (name->dataset)
			add_name(mentions, text, ABST_MENTION_DATASET, name->first);
		else if (name->model)
			add_name(mentions, text, ABST_MENTION_MODEL, name->first);
	}
	hash_destroy(finder.names);
}
