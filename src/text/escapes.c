/*-------------------------------------------------------------------------
 *
 * escapes.c
 *		The pass that undoes LaTeX's spelling of "<", ">", "&" and quotes, as
 *		BibTeX files have it: {\textless}i{\textgreater}, $<$sub$>$, {\&}amp;.
 *
 * It comes before references and tags are read, so that MathML and HTML that
 * went through BibTeX are tags again.  What is no tag shows the same sign that
 * the LaTeX pass would have made of it.
 *
 *-------------------------------------------------------------------------
 */
#include "text/passes.h"

#include "miscadmin.h"

static const struct
{
	const char *name;
	char		sign;
}			commands[] =

{
	{"\\textless", '<'}, {"\\less", '<'}, {"\\lt", '<'},
	{"\\textgreater", '>'}, {"\\greater", '>'}, {"\\gt", '>'},
	{"\\textquotedbl", '"'}
};

/*
 * A command for one of the signs at s: its bytes with a blank or "{}" that
 * ends it, 0 if there is none.  In a formula \lt and \gt count, too.
 */
static int
sign_command(const char *s, Size len, bool wrapped, char *sign)
{
	for (int i = 0; i < lengthof(commands); i++)
	{
		int			n = strlen(commands[i].name);

		if (len <= n || memcmp(s, commands[i].name, n) != 0 ||
			(s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z'))
			continue;
		if (n <= 5 && !wrapped)
			return 0;			/* \lt in a longer formula */
		*sign = commands[i].sign;
		if (s[n] == '{' && len > n + 1 && s[n + 1] == '}')
			return n + 2;
		return n + (s[n] == ' ' && !wrapped);
	}
	return 0;
}

/* The sign spelled at s: its bytes, else 0. */
static int
spelled_sign(const char *s, Size len, char *sign)
{
	int			n;

	if (len < 3)
		return 0;
	if (s[0] == '$')
	{
		if ((s[1] == '<' || s[1] == '>') && s[2] == '$')
		{
			*sign = s[1];
			return 3;
		}
		n = sign_command(s + 1, len - 1, true, sign);
		return n > 0 && len > n + 1 && s[n + 1] == '$' ? n + 2 : 0;
	}
	if (s[0] == '{')
	{
		if (s[1] == '\\' && s[2] == '&' && len > 3 && s[3] == '}')
		{
			*sign = '&';
			return 4;
		}
		n = sign_command(s + 1, len - 1, true, sign);
		return n > 0 && len > n + 1 && s[n + 1] == '}' ? n + 2 : 0;
	}
	return sign_command(s, len, false, sign);
}

/* Does a reference go on at s, behind an escaped "&": "amp;", "#946;"? */
static bool
is_reference(const char *s, Size len)
{
	Size		i = 0;

	while (i < len && i < 12 &&
		   ((s[i] >= 'a' && s[i] <= 'z') || (s[i] >= 'A' && s[i] <= 'Z') ||
			(s[i] >= '0' && s[i] <= '9') || (i == 0 && s[i] == '#')))
		i++;
	return i >= 2 && i < len && s[i] == ';';
}

bool
abst_pass_escapes(const AbstBuf *in, AbstBuf *out)
{
	Size		at = 0;
	Size		copied = 0;
	bool		found = false;

	while (at < in->len)
	{
		const char *s = in->text +at;
		char		sign = 0;
		int			n = 0;

		if ((at & 0xFFF) == 0)
			CHECK_FOR_INTERRUPTS();
		if (*s == '$' || *s == '{' || *s == '\\')
			n = spelled_sign(s, in->len - at, &sign);
		if (n == 0 && *s == '\\' && in->len - at > 3 && s[1] == '&' &&
			is_reference(s + 2, in->len - at - 2))
		{
			sign = '&';
			n = 2;
		}
		if (n == 0)
		{
			/* an escaped sign is not looked at again */
			at += *s == '\\' && in->len - at > 1 && (s[1] & 0x80) == 0 ? 2 : 1;
			continue;
		}
		abst_buf_copy(out, in, copied, at - copied);
		abst_buf_put(out, &sign, 1, abst_buf_pos(in, at));
		at += n;
		copied = at;
		found = true;
	}
	if (found)
		abst_buf_copy(out, in, copied, in->len - copied);
	return found;
}
