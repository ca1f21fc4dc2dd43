/*-------------------------------------------------------------------------
 *
 * latex.h
 *		State shared by the files of the LaTeX pass.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_LATEX_H
#define ABST_TEXT_LATEX_H

#include "compat.h"
#include "text/latex_symbols.h"
#include "text/passes.h"

/* Arguments within arguments beyond this lose their commands only. */
#define ABST_LATEX_DEPTH	40

/* A longer formula is none. */
#define ABST_MAX_FORMULA	2000

typedef struct AbstLatex
{
	const AbstBuf *in;
	const char *text;			/* in->text */
	int			len;
	AbstBuf    *out;
	int		   *match;			/* of each brace the other one; -1: none, -2:
								 * a closing one to be kept */
	bool		math;			/* inside a formula */
	int			depth;			/* of arguments */
	int			formulas;		/* of formulas: text inside may hold one */
	int			dropped;		/* length of out at the last citation or label
								 * that was dropped; -1: none near */
	int			quote_end;		/* place of a closing single quote */
	int			next_round;		/* next "\)" at or after here, see find_next */
	int			next_square;
	int			next_end;
} AbstLatex;

/* An argument: text[from .. to), and where the text goes on. */
typedef struct AbstLatexArg
{
	int			from;
	int			to;
	int			next;
} AbstLatexArg;

/* latex.c: read text[from .. to) in the current mode. */
extern void abst_latex_run(AbstLatex *st, int from, int to);
extern void abst_latex_run_mode(AbstLatex *st, const AbstLatexArg *arg,
								bool math);

/* A formula text[from .. to), delimiters at "open"; marks it in the output. */
extern void abst_latex_formula(AbstLatex *st, int open, int from, int to);

/* Raw offset of a place in the input. */
extern int	abst_latex_pos(const AbstLatex *st, int at);

/* latex_commands.c: the command at text[at] ('\\'); returns where to go on. */
extern int	abst_latex_do_command(AbstLatex *st, int at, int to);

/* "^" or "_" at text[at] with its argument. */
extern int	abst_latex_script(AbstLatex *st, int at, int to);

#endif							/* ABST_TEXT_LATEX_H */
