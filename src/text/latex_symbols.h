/*-------------------------------------------------------------------------
 *
 * latex_symbols.h
 *		What LaTeX commands mean for a reader.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_LATEX_SYMBOLS_H
#define ABST_TEXT_LATEX_SYMBOLS_H

#include "compat.h"

typedef enum AbstLatexAction
{
	ABST_LATEX_STYLE,			/* the name goes, arguments stay (also all
								 * unknown commands) */
	ABST_LATEX_SYMBOL,			/* stands for "text" */
	ABST_LATEX_WORD,			/* the same; the blank after it stays */
	ABST_LATEX_RELATION,		/* the same, with blanks around in formulas */
	ABST_LATEX_FUNCTION,		/* a function's name, as \log */
	ABST_LATEX_ACCENT,			/* "text" is the combining mark */
	ABST_LATEX_DROP,			/* goes with all its arguments */
	ABST_LATEX_DROP_FIRST,		/* goes with its first argument */
	ABST_LATEX_SPACE,
	ABST_LATEX_BREAK,			/* a new line */
	ABST_LATEX_FRACTION,
	ABST_LATEX_BINOMIAL,
	ABST_LATEX_ROOT,
	ABST_LATEX_BLACKBOARD,		/* letters with double strokes */
	ABST_LATEX_TEXT,			/* prose inside a formula */
	ABST_LATEX_NAME,			/* upright letters inside a formula */
	ABST_LATEX_FENCE,			/* \left, \big: goes, its delimiter stays */
	ABST_LATEX_NOT,				/* strikes out the next sign */
	ABST_LATEX_BEGIN,
	ABST_LATEX_END,
	ABST_LATEX_IF_MATH,
	ABST_LATEX_ELSE,
	ABST_LATEX_FI,
	ABST_LATEX_URL,				/* argument as it is */
	ABST_LATEX_VERBATIM			/* \verb|...| */
} AbstLatexAction;

typedef struct AbstLatexCommand
{
	const char *name;
	AbstLatexAction action;
	const char *text;			/* UTF-8, or NULL */
} AbstLatexCommand;

/* NULL for a command that is not known. */
extern const AbstLatexCommand *abst_latex_command(const char *name, int len);

/* Accents and signs whose name is one character that is no letter. */
extern const AbstLatexCommand *abst_latex_sign(char c);

/* Is the environment a formula ("equation*")? */
extern bool abst_latex_math_environment(const char *name, int len);

#endif							/* ABST_TEXT_LATEX_SYMBOLS_H */
