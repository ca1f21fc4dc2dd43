/*-------------------------------------------------------------------------
 *
 * charclass.h
 *		What a character is, and what it folds to.
 *
 * The tables are generated (gen_unicode.pl).  They do not depend on the
 * locale, so a document means the same on every server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_CHARCLASS_H
#define ABST_TEXT_CHARCLASS_H

#include "compat.h"
#include "text/utf8.h"

/* The numbers are written into the tables by gen_unicode.pl. */
typedef enum AbstCharClass
{
	ABST_CHAR_OTHER = 0,		/* punctuation, symbols, unassigned */
	ABST_CHAR_UPPER = 1,
	ABST_CHAR_LOWER = 2,
	ABST_CHAR_TITLE = 3,
	ABST_CHAR_LETTER = 4,		/* letter without case */
	ABST_CHAR_DIGIT = 5,		/* decimal digit of any script */
	ABST_CHAR_MARK = 6,			/* combining */
	ABST_CHAR_CJK = 7,			/* Han, kana, Hangul, ... */
	ABST_CHAR_SPACE = 8,
	ABST_CHAR_DASH = 9,			/* hyphen, minus, en dash; no em dash */
	ABST_CHAR_SCRIPTDIGIT = 10, /* superscript and subscript digits */
	ABST_CHAR_SCRIPTSIGN = 11,	/* superscript and subscript + and - */
	ABST_CHAR_INVISIBLE = 12,	/* soft hyphen, zero width, bidi controls */
	ABST_CHAR_CONTROL = 13,
	ABST_CHAR_NUMERAL = 14,		/* fractions, Roman, circled */
	ABST_CHAR_JOINER = 15		/* zero width joiner and non-joiner */
} AbstCharClass;

/* In the table byte: the character may change under NFC, or combines. */
#define ABST_CHAR_NFC_UNSAFE	0x80

extern uint8 abst_char_bits(uint32 cp);

static inline AbstCharClass
abst_char_class(uint32 cp)
{
	return (AbstCharClass) (abst_char_bits(cp) & ~ABST_CHAR_NFC_UNSAFE);
}

/* A letter of any kind but CJK. */
static inline bool
abst_class_is_letter(AbstCharClass k)
{
	return k >= ABST_CHAR_UPPER && k <= ABST_CHAR_LETTER;
}

/* What may begin a word: letter or digit, of any script. */
static inline bool
abst_class_is_alnum(AbstCharClass k)
{
	return k >= ABST_CHAR_UPPER && k <= ABST_CHAR_CJK && k != ABST_CHAR_MARK;
}

static inline bool
abst_char_is_greek(uint32 cp)
{
	return (cp >= 0x370 && cp <= 0x3FF) || (cp >= 0x1F00 && cp <= 0x1FFF) ||
		cp == 0xB5 || cp == 0x2126;
}

/* The superscript or subscript form of a character, 0 if there is none. */
extern uint32 abst_char_superscript(uint32 cp);
extern uint32 abst_char_subscript(uint32 cp);

/*
 * Folding for tokens: lower case, accents and ligatures undone, look-alikes
 * made equal.  The result is in static storage or in "buf" (4 bytes); its
 * length may be 0.
 */
extern const char *abst_fold_char(uint32 cp, char *buf, int *len);

/* Fold a string; palloc'd and NUL-terminated. */
extern char *abst_fold(const char *utf8, int len, int *foldlen);

/* English name of a folded Greek letter ("beta"), NULL if it is none. */
extern const char *abst_greek_name(uint32 cp);

#endif							/* ABST_TEXT_CHARCLASS_H */
