/*-------------------------------------------------------------------------
 *
 * tokenizer.c
 *		Cuts display text into typed tokens.
 *
 * The tokens cover the text without a gap.  A word is made of atoms (letters
 * and digits with what stands inside of them: apostrophes, decimal points,
 * "_", "@", trailing "++" and "#"); atoms joined by hyphen-like signs, slash
 * or plus are a compound.  A formula is one token where the reader found one
 * (AbstPlain.math) and where its shape tells: O(n log n), x^2.
 *
 * No token is longer than ABST_MAX_TOKEN and every look-ahead is bounded, so
 * the walk is linear in the text.
 *
 *-------------------------------------------------------------------------
 */
#include "text/reader.h"

#include "miscadmin.h"
#include "text/capitals.h"
#include "text/charclass.h"
#include "text/links.h"
#include "text/shapes.h"
#include "text/units.h"

/* A compound ends at this many atoms or bytes; the rest starts a new one. */
#define MAX_ATOMS			16
#define MAX_COMPOUND		512

/* Most letters of an abbreviation with points. */
#define MAX_DOTTED			10

struct AbstTokenizer
{
	const char *text;
	int			len;
	int			at;
	const AbstSpan *math;		/* formulas not yet reached */
	int			nmath;
	int			line_end;		/* end of the line "at" is in ... */
	bool		line_capitals;	/* ... and whether it is all capitals */
	bool		swallow;		/* the last word was cut: skip its rest */
	int			number_end;		/* end of the last token if it is a number */
	bool		ahead;			/* "next" is the token at "at" */
	AbstToken	next;
	AbstLinkMemo links;
};

/* What an atom is made of; its possessive 's does not count. */
typedef struct Atom
{
	int			start;
	int			end;
	int			letters;
	int			upper;
	int			digits;
	int			greek;
	bool		first_upper;
	bool		inner_upper;	/* an upper case letter after the first */
	bool		plural;			/* ends in a lower case s */
	bool		sign;			/* has a sign that makes it a name */
} Atom;

static AbstTokenizer *
begin(const char *text, int len)
{
	AbstTokenizer *t = palloc0(sizeof(AbstTokenizer));

	t->text = text;

	t->len = len;
	t->line_end = -1;
	t->number_end = -1;
	return t;
}

AbstTokenizer *
abst_tokenizer_begin(const char *text, int len)
{
	return begin(text, len);
}

AbstTokenizer *
abst_tokenizer_begin_plain(const AbstPlain *plain)
{
	AbstTokenizer *t = begin(plain->text, plain->len);

	t->math = plain->math;
	t->nmath = plain->nmath;
	return t;
}

static AbstCharClass
class_at(const AbstTokenizer *t, int at, uint32 *cp, int *n)
{
	if (at >= t->len)
	{
		*cp = 0;
		*n = 0;
		return ABST_CHAR_SPACE;
	}
	*n = abst_utf8_decode(t->text +at, t->len - at, cp);
	return abst_char_class(*cp);
}

/* Class of the character before "at"; a space at the beginning. */
static AbstCharClass
class_before(const AbstTokenizer *t, int at, uint32 *cp)
{
	if (at <= 0)
	{
		*cp = ' ';
		return ABST_CHAR_SPACE;
	}
	abst_utf8_decode_before(t->text, at, cp);
	return abst_char_class(*cp);
}

static bool
is_word_class(AbstCharClass k)
{
	return abst_class_is_letter(k) || k == ABST_CHAR_DIGIT ||
		k == ABST_CHAR_SCRIPTDIGIT;
}

static bool
word_at(const AbstTokenizer *t, int at)
{
	uint32		cp;
	int			n;

	return is_word_class(class_at(t, at, &cp, &n)) && n > 0;
}

static bool
is_apostrophe(uint32 cp)
{
	return cp == '\'' || cp == 0x2019 || cp == 0x2BC || cp == 0xFF07;
}

/* Where a token that begins at "start" must end at the latest. */
static int
token_limit(const AbstTokenizer *t, int start)
{
	int			limit = Min(t->len - start, ABST_MAX_TOKEN) + start;

	if (t->nmath > 0 && t->math->start > start)
		limit = Min(limit, t->math->start);
	return limit;
}

/*
 * Does the word text[from .. at) before an apostrophe stand for an elided
 * one, as in French and Italian: l'eau, qu'il, dell'acqua?
 */
static bool
is_elision(const AbstTokenizer *t, int from, int at, int after)
{
	static const char *const elided[] = {
		"l", "d", "qu", "j", "n", "s", "m", "t", "c", "jusqu", "lorsqu",
		"puisqu", "quoiqu", "dell", "nell", "dall", "sull", "quell", "un"
	};
	uint32		cp;
	int			n;

	class_at(t, after, &cp, &n);
	if (!abst_class_is_letter(class_at(t, after + n, &cp, &n)))
		return false;
	for (int i = 0; i < lengthof(elided); i++)
		if (strlen(elided[i]) == at - from &&
			pg_strncasecmp(elided[i], t->text +from, at - from) == 0)
			return true;
	return false;
}

/* Exactly three digits after the comma at "at"? */
static bool
thousands_at(const AbstTokenizer *t, int at)
{
	if (t->len - at < 4)
		return false;
	for (int i = 1; i <= 3; i++)
		if (t->text[at + i] < '0' || t->text[at + i] > '9')
			return false;
	return t->len - at == 4 || t->text[at + 4] < '0' || t->text[at + 4] > '9';
}

/*
 * Does a sign that stands between two characters of an atom belong to it?
 * "prev" is the class before; *n is the sign's length.
 */
static bool
inner_sign(const AbstTokenizer *t, const Atom *atom, int at, uint32 cp,
		   AbstCharClass prev, int n)
{
	uint32		next_cp;
	int			next_n;
	AbstCharClass next = class_at(t, at + n, &next_cp, &next_n);

	if (next_n == 0)
		return false;
	if (is_apostrophe(cp))
	{
		/* O'Neil; 5'-UTR */
		if (prev == ABST_CHAR_DIGIT && next == ABST_CHAR_DASH)
			return abst_class_is_letter(class_at(t, at + n + next_n, &next_cp,
												 &next_n));
		return abst_class_is_letter(prev) && abst_class_is_letter(next) &&
			!is_elision(t, atom->start, at, at + n);
	}
	switch (cp)
	{
			/* alleles and serotypes: HLA-B*27:05, O157:H7 */
		case '*':
			return atom->first_upper && prev != ABST_CHAR_LOWER &&
				next == ABST_CHAR_DIGIT;
		case ':':
			if (!atom->first_upper || prev != ABST_CHAR_DIGIT)
				return false;
			if (next == ABST_CHAR_DIGIT)
				return atom->sign;
			return next == ABST_CHAR_UPPER &&
				class_at(t, at + n + next_n, &next_cp, &next_n) ==
				ABST_CHAR_DIGIT;
		case '_':
		case '@':
			return is_word_class(next) && is_word_class(prev);
		case '.':
			return prev == ABST_CHAR_DIGIT && next == ABST_CHAR_DIGIT;
		case ',':
			return atom->letters == 0 && !atom->sign &&
				prev == ABST_CHAR_DIGIT &&
				thousands_at(t, at);
		case '&':
			return atom->letters > 0 && atom->upper == atom->letters &&
				atom->letters <= 3 && prev == ABST_CHAR_UPPER &&
				next == ABST_CHAR_UPPER;
		default:
			return false;
	}
}

/* Add what stands after an atom and belongs to it: C++, C#, CD4+, A*. */
static void
trailing_sign(const AbstTokenizer *t, Atom *atom, int limit)
{
	int			at = atom->end;
	char		c = at < limit ? t->text[at] : '\0';
	char		next = at + 1 < t->len ? t->text[at + 1] : ' ';
	bool		element = atom->letters > 0 && atom->letters <= 2 &&
	atom->first_upper && atom->digits == 0;

	if (atom->letters == 0 || at >= limit)
		return;
	if (c == '+' && next == '+' && at + 2 <= limit &&
		(!word_at(t, at + 2) || (t->text[at + 2] >= '0' &&
								 t->text[at + 2] <= '9')))
	{
		/* C++11 as well */
		atom->end += 2;
		while (atom->end < limit && t->text[atom->end] >= '0' &&
			   t->text[atom->end] <= '9')
			atom->end++;
	}
	else if (c == '+' && next != '+' && !word_at(t, at + 1) &&
			 (element || atom->digits > 0))
		atom->end++;
	else if (c == '#' && atom->letters <= 2 && atom->upper > 0 &&
			 atom->digits == 0 && !word_at(t, at + 1))
		atom->end++;
	else if (c == '*' && atom->letters == 1 && atom->upper == 1 &&
			 atom->digits == 0 && !word_at(t, at + 1) && next != '*')
		atom->end++;
	else
		return;
	atom->sign = true;
}

/* Read the atom at "at"; false if none begins there. */
static bool
scan_atom(const AbstTokenizer *t, int at, int limit, Atom *atom)
{
	Atom		before;			/* as it was before the last apostrophe */
	int			apostrophe = -1;
	int			tail = 0;		/* characters after it */
	bool		tail_is_s = false;
	AbstCharClass prev = ABST_CHAR_SPACE;
	int			i = at;

	memset(atom, 0, sizeof(Atom));
	atom->start = at;
	before = *atom;
	while (i < limit)
	{
		uint32		cp;
		int			n;
		AbstCharClass k = class_at(t, i, &cp, &n);

		if (i + n > limit)
			break;
		if (abst_class_is_letter(k))
		{
			bool		upper = k == ABST_CHAR_UPPER || k == ABST_CHAR_TITLE;

			if (atom->letters == 0 && atom->digits == 0)
				atom->first_upper = upper;
			else if (upper && !(apostrophe >= 0 && tail == 0))
				atom->inner_upper = true;
			atom->letters++;
			atom->upper += upper;
			atom->greek += abst_char_is_greek(cp);
			atom->plural = cp == 's';
			tail++;
			tail_is_s = tail == 1 && (cp == 's' || cp == 'S');
		}
		else if (k == ABST_CHAR_DIGIT || k == ABST_CHAR_SCRIPTDIGIT)
		{
			atom->digits++;
			tail += 2;
			tail_is_s = false;
		}
		else if (i == at)
			return false;
		else if (k == ABST_CHAR_SCRIPTSIGN ||
				 (cp == 0x2032 && (atom->letters > 0 || atom->digits > 0)))
			atom->sign = true;
		else if (k == ABST_CHAR_MARK || k == ABST_CHAR_JOINER)
			;
		else if (inner_sign(t, atom, i, cp, prev, n))
		{
			if (is_apostrophe(cp) && prev == ABST_CHAR_DIGIT)
				atom->sign = true;
			else if (is_apostrophe(cp))
			{
				apostrophe = i;
				tail = 0;
				before = *atom;
			}
			else if (cp != '.' && cp != ',')
				atom->sign = true;
		}
		else
			break;
		if (k != ABST_CHAR_MARK && k != ABST_CHAR_JOINER)
			prev = k;
		i += n;
	}
	if (i == at)
		return false;
	if (apostrophe >= 0 && tail_is_s)
		*atom = before;
	atom->end = i;
	if (apostrophe < 0 || !tail_is_s)
		trailing_sign(t, atom, limit);
	return true;
}

/* Is the stretch around "at" in capitals?  Each is read once. */
static bool
in_capital_line(AbstTokenizer *t, int at)
{
	if (at >= t->line_end)
		t->line_capitals = abst_capital_stretch(t->text, t->len, at,
												&t->line_end);
	return t->line_capitals;
}

static AbstTokenType
classify(AbstTokenizer *t, const Atom *atom)
{
	if (atom->letters == 0)
		return atom->sign ? ABST_TOK_NAME : ABST_TOK_NUMBER;
	if (atom->digits > 0 || atom->sign)
		return ABST_TOK_NAME;
	if (atom->greek > 0)
	{
		if (atom->letters == 1)
			return ABST_TOK_GREEK;
		if (atom->greek < atom->letters)
			return ABST_TOK_NAME;
	}
	if (atom->letters == 1)
	{
		char		c = t->text[atom->start];

		uint32		cp;
		int			n;

		class_at(t, atom->end, &cp, &n);
		if (!(c >= 'A' && c <= 'Z') || is_apostrophe(cp) ||
			in_capital_line(t, atom->start))
			return ABST_TOK_WORD;
		if ((c == 'A' || c == 'I') &&
			!abst_named_by_letter(t->text, atom->start))
			return ABST_TOK_WORD;
		return ABST_TOK_NAME;
	}
	if (atom->upper == atom->letters)
		return in_capital_line(t, atom->start) ||
			abst_is_label_word(t->text +atom->start, atom->end - atom->start) ?
			ABST_TOK_WORD : ABST_TOK_ACRONYM;
	if (atom->plural && atom->upper >= 2 && atom->upper == atom->letters - 1)
		return ABST_TOK_ACRONYM;
	return atom->inner_upper ? ABST_TOK_NAME : ABST_TOK_WORD;
}

/* Bytes of the joiner at "at" between two atoms, 0 if they are apart. */
static int
joiner(const AbstTokenizer *t, int at, int limit, bool numeric)
{
	uint32		cp;
	int			n;
	AbstCharClass k = class_at(t, at, &cp, &n);
	uint32		next_cp;
	int			next_n;
	AbstCharClass next;

	if (n == 0 || at + n >= limit)
		return 0;
	if (cp == '-' && t->text[at + 1] == '-')
		n = 2;
	else if (cp == '+')
	{
		/* a sum of symbols; "word+word" as well, but no bare arithmetic */
		if (numeric)
			return 0;
	}
	else if (cp != '/' && k != ABST_CHAR_DASH)
		return 0;
	if (at + n >= limit)
		return 0;
	next = class_at(t, at + n, &next_cp, &next_n);
	if (!is_word_class(next) || next_n == 0)
		return 0;
	/* ranges and fractions keep their numbers apart */
	if (numeric && next == ABST_CHAR_DIGIT)
		return 0;
	return n;
}

/* "U.S.", "i.e": single letters with points; end of it, or 0. */
static int
dotted_end(const AbstTokenizer *t, int at, int limit)
{
	int			i = at;
	int			letters = 0;
	int			end = 0;

	for (;;)
	{
		uint32		cp;
		int			n;

		if (!abst_class_is_letter(class_at(t, i, &cp, &n)) || i + n > limit)
			return 0;
		i += n;
		if (++letters > MAX_DOTTED)
			return 0;
		end = i;
		if (i >= limit || t->text[i] != '.')
			break;
		if (!abst_class_is_letter(class_at(t, i + 1, &cp, &n)))
			break;
		i++;
	}
	if (letters < 2 || word_at(t, end))
		return 0;
	return end;
}

/* "Node.js": length of a known ending after the point at "at", or 0. */
static int
file_ending(const AbstTokenizer *t, int at, int limit)
{
	static const char *const endings[] = {
		"js", "py", "jl", "rs", "cpp", "hpp", "csv", "tsv", "json", "jsonl",
		"txt", "xml", "pdf", "html", "ipynb", "yaml", "yml", "toml", "zip",
		"exe", "dll", "net", "NET", "JS", "nlp"
	};

	if (at >= limit || t->text[at] != '.')
		return 0;
	for (int i = 0; i < lengthof(endings); i++)
	{
		int			n = strlen(endings[i]);

		if (limit - at > n && memcmp(t->text +at + 1, endings[i], n) == 0 &&
			!word_at(t, at + 1 + n))
			return n + 1;
	}
	return 0;
}

/*
 * Places in a molecule: the "1,3" of 1,3-butadiene, the "N,N" of
 * N,N-dimethyl.  Its end if a hyphen and a letter follow, else 0.
 */
static int
locants_end(const AbstTokenizer *t, int at, int limit)
{
	int			i = at;
	int			commas = 0;
	uint32		cp;
	int			n;

	for (;;)
	{
		int			start = i;

		if (i < limit && t->text[i] >= 'A' && t->text[i] <= 'Z')
			i++;
		else
			while (i < limit && i - start < 2 && t->text[i] >= '0' &&
				   t->text[i] <= '9')
				i++;
		if (i == start || commas > 4)
			return 0;
		if (i >= limit || t->text[i] != ',')
			break;
		commas++;
		i++;
	}
	if (commas == 0 || i + 1 >= limit || t->text[i] != '-')
		return 0;
	return abst_class_is_letter(class_at(t, i + 1, &cp, &n)) ? i : 0;
}

/* The word at "at": one atom, or a compound. */
static bool
scan_word(AbstTokenizer *t, int at, int limit, AbstToken *token)
{
	Atom		atom;
	int			natoms = 0;
	int			i = at;
	bool		numeric = true;
	int			n;

	n = locants_end(t, i, limit);
	if (n > 0)
	{
		memset(&atom, 0, sizeof(Atom));
		atom.end = n;
		atom.sign = true;
	}
	else if (!scan_atom(t, i, limit, &atom))
		return false;
	token->type = classify(t, &atom);
	for (;;)
	{
		natoms++;
		numeric = numeric && atom.letters == 0;
		i = atom.end;
		if (natoms == MAX_ATOMS || i - at > MAX_COMPOUND)
			break;
		n = joiner(t, i, limit, numeric);
		if (n == 0 || !scan_atom(t, i + n, limit, &atom))
			break;
	}
	if (natoms == 1)
	{
		/* a formula by its shape, or a file name */
		if (atom.letters == 1 && atom.digits <= 1 && !atom.sign &&
			(n = abst_call_end(t->text, limit, i)) > 0 &&
			!(t->text[at] == 'a' && i - at == 1))
		{
			token->type = ABST_TOK_MATH;
			i = n;
		}
		else if (i - at <= 8 && (n = abst_exponent_end(t->text, limit, i)) > 0)
		{
			token->type = ABST_TOK_MATH;
			i = n;
		}
		else if (atom.letters > 0 && !atom.sign &&
				 (n = file_ending(t, i, limit)) > 0)
		{
			token->type = ABST_TOK_NAME;
			i += n;
		}
	}
	else
		token->type = ABST_TOK_COMPOUND;
	token->len = i - at;
	return true;
}

/* "and", "or", a comma between hanging words: where the next word begins. */
static int
skip_conjunction(const AbstTokenizer *t, int at, int limit)
{
	static const char *const conjunctions[] = {
		"and", "or", "to", "and/or", "und", "oder", "et", "ou", "y", "e", "o",
		"en", "och", "og", "as well as", "versus", "vs.", "vs", "but not", "&"
	};

	if (at < limit && (t->text[at] == ',' || t->text[at] == '/'))
		at++;
	if (at < limit && (t->text[at] == ' ' || t->text[at] == '\n'))
		at++;
	for (int i = 0; i < lengthof(conjunctions); i++)
	{
		int			n = strlen(conjunctions[i]);

		if (limit - at > n + 1 && t->text[at + n] == ' ' &&
			memcmp(t->text +at, conjunctions[i], n) == 0)
			return at + n + 1;
	}
	return at;
}

/*
 * Does the word that ends at "end" hang with a hyphen, as "pre-" in "pre- and
 * post-training"?  Then the token takes the hyphen in, and its rest is
 * "-training".
 */
static void
hang(const AbstTokenizer *t, AbstToken *token)
{
	int			end = token->start + token->len;
	int			limit = Min(t->len, end + 120);
	int			parts = 1;
	uint32		cp;
	int			n;
	int			at;

	if (token->type == ABST_TOK_MATH || token->type == ABST_TOK_PERCENT ||
		class_at(t, end, &cp, &n) != ABST_CHAR_DASH || token->len > 60)
		return;
	for (int i = token->start; i < end; i += n)
		parts += class_at(t, i, &cp, &n) == ABST_CHAR_DASH;
	class_at(t, end, &cp, &n);
	at = end + n;
	if (at >= limit || (t->text[at] != ' ' && t->text[at] != ',' &&
						t->text[at] != '/' && t->text[at] != '\n'))
		return;
	for (int words = 0; words < 4; words++)
	{
		Atom		atom;
		int			next = skip_conjunction(t, at, limit);
		int			rest;

		if (next == at || !scan_atom(t, next, limit, &atom))
			return;
		if (class_at(t, atom.end, &cp, &n) != ABST_CHAR_DASH)
			return;
		rest = atom.end + n;
		if (!word_at(t, rest))
		{
			at = rest;			/* another one that hangs */
			continue;
		}
		at = rest;
		while (at < limit && scan_atom(t, at, limit, &atom))
		{
			/* IL-1- and IL-6-induced: as many parts as stand there go */
			if (parts > 1 && class_at(t, atom.end, &cp,
									  &n) == ABST_CHAR_DASH &&
				word_at(t, atom.end + n))
			{
				parts--;
				at = rest = atom.end + n;
				continue;
			}
			token->rest.start = rest;
			token->rest.len = atom.end - rest;
			at = atom.end;
			if (class_at(t, at, &cp, &n) != ABST_CHAR_DASH)
				break;
			at += n;
		}
		if (token->rest.len > 0)
		{
			class_at(t, end, &cp, &n);
			token->type = ABST_TOK_HANGING;
			token->len += n;
		}
		return;
	}
}

/* A number that stands alone, or the word or compound it begins. */
static bool
scan_number(AbstTokenizer *t, int at, int limit, bool open, AbstToken *token)
{
	AbstTokenType type;
	int			end = abst_number_end(t->text, limit, at, open, &type);
	uint32		cp;
	int			n;
	AbstCharClass k;
	AbstToken	word;

	if (end == 0)
		return false;
	word.start = at;
	token->type = type;
	token->len = end - at;
	if (end >= limit || type == ABST_TOK_PERCENT ||
		abst_unit_end(t->text, t->len, end, true) > 0)
		return true;
	k = class_at(t, end, &cp, &n);
	/* letters, "_" or a joiner with letters: a word that starts with digits */
	if (abst_class_is_letter(k) || cp == '_' || cp == '@' || cp == '/' ||
		cp == '-' || cp == '^' || is_apostrophe(cp) || k == ABST_CHAR_DASH)
	{
		if (class_at(t, at, &cp, &n) == ABST_CHAR_DIGIT &&
			scan_word(t, at, limit, &word) && word.len > token->len)
			*token = word;
	}
	return true;
}

/* May a number at "at" carry a sign or begin with a point? */
static bool
sign_may_stand(const AbstTokenizer *t, int at)
{
	uint32		cp;
	AbstCharClass k = class_before(t, at, &cp);

	if (k == ABST_CHAR_SPACE)
		return true;
	/* from -3 to -1 with a dash between: the second sign is its own */
	if (k == ABST_CHAR_DASH)
	{
		char		dash[4];

		return at == t->number_end + abst_utf8_encode(cp, dash);
	}
	if (k != ABST_CHAR_OTHER)
		return false;
	return cp != ')' && cp != ']' && cp != '}' && cp != '%' && cp != '.' &&
		cp != 0x2019 && cp != 0x201D && cp != '\'' && cp != '/';
}

/* The run of CJK characters at "at". */
static int
cjk_end(const AbstTokenizer *t, int at, int limit)
{
	for (;;)
	{
		uint32		cp;
		int			n;
		AbstCharClass k = class_at(t, at, &cp, &n);

		if (n == 0 || at + n > limit ||
			(k != ABST_CHAR_CJK && k != ABST_CHAR_MARK &&
			 k != ABST_CHAR_JOINER))
			return at;
		at += n;
	}
}

/* The token that begins at "at", if one does; blanks do not count. */
static bool
token_at(AbstTokenizer *t, int at, AbstToken *token)
{
	uint32		cp;
	uint32		before;
	int			n;
	AbstCharClass k = class_at(t, at, &cp, &n);
	int			limit = token_limit(t, at);

	token->start = at;
	token->rest.len = 0;
	if (k == ABST_CHAR_SPACE || k == ABST_CHAR_CONTROL)
		return false;
	if (t->number_end >= 0 &&
		(at == t->number_end ||
		 (at == t->number_end + 1 && t->text[at - 1] == ' ')))
	{
		int			end = abst_unit_end(t->text, limit, at,
										at == t->number_end);

		if (end > at)
		{
			token->type = ABST_TOK_UNIT;
			token->len = end - at;
			return true;
		}
	}
	if (k == ABST_CHAR_CJK)
	{
		token->type = ABST_TOK_CJK;
		token->len = cjk_end(t, at, limit) - at;
		return token->len > 0;
	}
	if (k == ABST_CHAR_NUMERAL)
	{
		token->type = ABST_TOK_NUMBER;
		token->len = n;
		return at + n <= limit;
	}
	if (is_word_class(k))
	{
		if (cp < 0x80 &&
			(token->len = abst_link_span(t->text, t->len, at, limit,
										 &t->links, &token->type)) > 0)
			return true;
		if (k == ABST_CHAR_DIGIT && locants_end(t, at, limit) == 0 &&
			scan_number(t, at, limit, false, token))
		{
			hang(t, token);
			return true;
		}
		if (k != ABST_CHAR_SCRIPTDIGIT || word_at(t, at + n))
		{
			token->len = dotted_end(t, at, limit);
			if (token->len > 0)
			{
				token->len -= at;
				token->type = ABST_TOK_NAME;
				return true;
			}
		}
		if (!scan_word(t, at, limit, token))
			return false;
		hang(t, token);
		return true;
	}
	if (cp == '.' || cp == '+' || k == ABST_CHAR_DASH)
	{
		if (!sign_may_stand(t, at))
			return false;
		if (scan_number(t, at, limit, true, token))
			return true;
		/* .NET, .csv: not the first word of a glued sentence (.We) */
		if (cp == '.' && class_before(t, at, &before) == ABST_CHAR_SPACE)
		{
			Atom		atom;

			if (scan_atom(t, at + 1, limit, &atom) && atom.letters >= 2 &&
				atom.letters <= 5 && atom.digits == 0 &&
				(atom.upper == atom.letters || atom.upper == 0))
			{
				token->type = ABST_TOK_NAME;
				token->len = atom.end - at;
				return true;
			}
		}
	}
	return false;
}

/* The rest of a word that was cut: up to its end it is blank. */
static int
rest_end(const AbstTokenizer *t, int at, int limit)
{
	for (;;)
	{
		uint32		cp;
		int			n;
		AbstCharClass k = class_at(t, at, &cp, &n);

		if (n == 0 || at + n > limit ||
			!(is_word_class(k) || k == ABST_CHAR_MARK))
			return at;
		at += n;
	}
}

/* Go on behind a token. */
static bool
accept(AbstTokenizer *t, const AbstToken *token)
{
	t->ahead = false;
	t->at = token->start + token->len;
	t->number_end = token->type == ABST_TOK_NUMBER ? t->at : -1;
	t->swallow = token->len > ABST_MAX_TOKEN - 4 &&
		token->type != ABST_TOK_CJK;
	return true;
}

bool
abst_tokenizer_next(AbstTokenizer *t, AbstToken *token)
{
	int			at = t->at;
	int			limit;

	CHECK_FOR_INTERRUPTS();
	if (at >= t->len)
		return false;
	if (t->ahead)
	{
		*token = t->next;
		return accept(t, token);
	}
	token->start = at;
	token->rest.len = 0;
	while (t->nmath > 0 && t->math->start < at)
	{
		t->math++;
		t->nmath--;
	}
	if (t->nmath > 0 && t->math->start == at && t->math->len > 0)
	{
		token->type = ABST_TOK_MATH;
		token->len = abst_utf8_clip(t->text +at, t->math->len,
									ABST_MAX_TOKEN);
		t->at = at + token->len;
		t->math++;
		t->nmath--;
		return true;
	}
	limit = token_limit(t, at);
	if (t->swallow)
	{
		int			end = rest_end(t, at, limit);

		t->swallow = end == limit && end < t->len;
		if (end > at)
		{
			token->type = ABST_TOK_BLANK;
			token->len = end - at;
			t->at = end;
			return true;
		}
		t->swallow = false;
	}
	if (token_at(t, at, token))
		return accept(t, token);

	/* a blank reaches to the next token */
	token->type = ABST_TOK_BLANK;
	do
	{
		uint32		cp;
		int			n;

		class_at(t, at, &cp, &n);
		if (at + n > limit && at > t->at)
			break;
		at += n;
	} while (at < limit && !(t->ahead = token_at(t, at, &t->next)));
	token->len = at - t->at;
	t->at = at;
	return true;
}
