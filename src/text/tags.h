/*-------------------------------------------------------------------------
 *
 * tags.h
 *		What is shared by the files that read HTML, JATS and MathML tags.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_TAGS_H
#define ABST_TEXT_TAGS_H

#include "compat.h"
#include "text/passes.h"

/* A tag as it stands in the text. */
typedef struct AbstTag
{
	int			len;			/* bytes from '<' to '>' */
	const char *name;			/* without its namespace, as written */
	int			namelen;
	bool		prefixed;		/* had a namespace */
	bool		closes;			/* </x> */
	bool		empty;			/* <x/> */
	bool		attributes;
} AbstTag;

/* Is the name one of MathML's?  (Only looked at inside <math>.) */
extern bool abst_mathml_name(const char *name, int len);

/* A formula in MathML being read. */
typedef struct AbstMathml AbstMathml;

extern AbstMathml *abst_mathml_begin(AbstBuf *out);
extern void abst_mathml_tag(AbstMathml *mathml, const AbstTag *tag, int pos);

/* True inside an annotation: the text there is not shown. */
extern bool abst_mathml_hidden(const AbstMathml *mathml);
extern void abst_mathml_end(AbstMathml *mathml, int pos);

#endif							/* ABST_TEXT_TAGS_H */
