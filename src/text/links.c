/*-------------------------------------------------------------------------
 *
 * links.c
 *		Where URLs, DOIs, arXiv ids and e-mail addresses begin and end.
 *
 * A link ends before blanks, quotes and angle brackets; then the punctuation
 * of the sentence around it is taken off, and closing brackets that were not
 * opened inside.  No function looks further than ABST_MAX_LINK bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "text/links.h"

#include "text/charclass.h"

/* More open brackets than this end a link. */
#define MAX_BRACKETS	3

/* Archives of the old arXiv numbering. */
static const char *const archives[] = {
	"acc-phys", "adap-org", "alg-geom", "ao-sci", "astro-ph", "atom-ph",
	"bayes-an", "chao-dyn", "chem-ph", "cmp-lg", "comp-gas", "cond-mat", "cs",
	"dg-ga", "funct-an", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th",
	"math", "math-ph", "mtrl-th", "nlin", "nucl-ex", "nucl-th", "patt-sol",
	"physics", "plasm-ph", "q-alg", "q-bio", "quant-ph", "solv-int",
	"supr-con"
};

/* Top level domains taken as such before a slash; no common English word. */
static const char *const domains[] = {
	"com", "org", "net", "edu", "gov", "mil", "int", "io", "ai", "dev", "app",
	"co", "cc", "biz", "cloud", "online", "software", "info", "science", "ac", "au", "br", "ca", "ch", "cn", "cz", "de", "dk",
	"es", "eu", "fi", "fr", "gl", "gg", "hk", "ie", "il", "jp", "kr", "ly",
	"nl", "nz", "pl", "pt", "ru", "se", "sg", "tw", "uk", "xyz", "tech"
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
in_list(const char *word, int len, const char *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (strlen(list[i]) == len && memcmp(list[i], word, len) == 0)
			return true;
	return false;
}

/* Does text[at] go on with "prefix", whatever its case? */
static int
has_prefix(const char *text, int len, int at, const char *prefix)
{
	int			n = strlen(prefix);

	if (len - at < n || pg_strncasecmp(text +at, prefix, n) != 0)
		return 0;
	return n;
}

/* No letter or digit (of any script) at text[at]? */
static bool
word_ends(const char *text, int len, int at)
{
	uint32		cp;

	if (at >= len)
		return true;
	abst_utf8_decode(text +at, len - at, &cp);
	return !abst_class_is_alnum(abst_char_class(cp));
}

/* Can this character stand in a link? */
static bool
link_char(uint32 cp)
{
	AbstCharClass k;

	if (cp < 0x80)
		return cp > 0x20 && cp != 0x7F && strchr("\"<>{}|\\^`", (int) cp) == NULL;
	if ((cp >= 0x2010 && cp <= 0x2027) || (cp >= 0x3000 && cp <= 0x303F) ||
		cp >= 0xFF00)
		return false;
	k = abst_char_class(cp);
	return abst_class_is_letter(k) || k == ABST_CHAR_DIGIT ||
		k == ABST_CHAR_MARK || k == ABST_CHAR_DASH;
}

/* End of the link characters from text[at] on, closing punctuation undone. */
static int
link_end(const char *text, int len, int at)
{
	int			start = at;
	int			end;
	int			round = 0;
	int			square = 0;

	while (at < len && at - start < ABST_MAX_LINK)
	{
		uint32		cp;
		int			n = abst_utf8_decode(text +at, len - at, &cp);

		if (!link_char(cp))
			break;
		round += cp == '(' ? 1 : cp == ')' ? -1 : 0;
		square += cp == '[' ? 1 : cp == ']' ? -1 : 0;
		/* Markdown: a bracket that closes what was opened before the link */
		if (round < 0 || square < 0)
		{
			if (round < 0)
				round = 0;
			else
				square = 0;
			break;
		}
		if (round > MAX_BRACKETS || square > MAX_BRACKETS)
			break;
		at += n;
	}
	end = at;
	while (end > start)
	{
		char		c = text[end - 1];

		if (c == '(' || c == '[')
		{
			if (c == '(')
				round--;
			else
				square--;
		}
		else if (strchr(".,;:!?*_'~$&", c) == NULL)
			break;
		end--;
	}
	/* an opened bracket that never closes ends the link */
	if (round > 0 || square > 0)
	{
		int			r = 0,
					s = 0;
		int			good = start;
		int			i;

		for (i = start; i < end; i++)
		{
			r += text[	i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
			s += text[	i] == '[' ? 1 : text[i] == ']' ? -1 : 0;

			if (r == 0 && s == 0)
				good = i + 1;
		}
		end = good;
		while (end > start && strchr(".,;:!?*_'~$&", text[end - 1]) != NULL)
			end--;
	}
	return end;
}

int
abst_url_span(const char *text, int len, int at)
{
	static const char *const schemes[] = {"https://", "http://", "ftp://", "www."};

	if (strchr("hHfFwW", text[at]) == NULL || text[at] == '\0')
		return 0;
	for (int i = 0; i < lengthof(schemes); i++)
	{
		int			n = has_prefix(text, len, at, schemes[i]);
		int			end;

		if (n == 0 || at + n >= len)
			continue;
		end = link_end(text, len, at + n);
		/* a scheme alone is no link */
		if (end > at + n && (i < 3 || memchr(text +at + n, '.', end - at - n)))
			return end - at;
	}
	return 0;
}

int
abst_arxiv_id_span(const char *text, int len, int at, int *version)
{
	int			i = at;
	int			limit = Min(len, at + 64);

	*version = 0;
	if (i < limit && is_digit(text[i]))
	{
		int			decimals;

		while (i < limit && is_digit(text[i]))
			i++;
		if (i - at != 4 || i >= limit || text[i] != '.')
			return 0;
		decimals = ++i;
		while (i < limit && is_digit(text[i]))
			i++;
		if (i - decimals < 4 || i - decimals > 5)
			return 0;
	}
	else
	{
		int			name = i;
		int			digits;

		while (i < limit && ((text[i] >= 'a' &&
							  text[i] <= 'z') ||text[i] == '-'))
			i++;
		if (i == name || i >= limit || (text[i] != '/' && text[i] != '.') ||
			!in_list(text +name, i - name, archives, lengthof(archives)))
			return 0;
		if (i + 2 < limit && text[i] == '.')
		{
			i++;
			while (i < limit && (is_alpha(text[i]) || text[i] == '-'))
				i++;
		}
		if (i >= limit || text[i] != '/')
			return 0;
		digits = ++i;
		while (i < limit && is_digit(text[i]))
			i++;
		if (i - digits != 7)
			return 0;
	}
	if (i + 1 < limit && text[i] == 'v' && is_digit(text[i + 1]))
	{
		int			v = i++;

		while (i < limit && is_digit(text[i]))
			i++;
		*version = i - v;
	}
	return word_ends(text, len, i) ? i - at : 0;
}

/*
 * The end of a DOI of the nineties, which has angle brackets and a semicolon:
 * "(SICI)1097-0258(19980115)17:1<1::AID-SIM1>3.0.CO;2-X".  0 if it is none.
 */
static int
serial_end(const char *text, int len, int at)
{
	int			limit = Min(len, at + 120);
	const char *mark;

	for (int i = at; i < limit && link_char((unsigned char) text[i]); i++)
		at = i + 1;
	if (at >= limit || text[at] != '<')
		return 0;
	mark = memchr(text +at, '>', limit - at);
	if (mark == NULL || memchr(text +at, ' ', mark - text -at) != NULL)
		return 0;
	at = mark - text +1;

	/* 3.0.CO;2-X, 3.3.TX;2-A */
	if (limit - at < 10 || !is_digit(text[at]) || text[at + 1] != '.' ||
		text[at + 6] != ';' || text[at + 8] != '-')
		return 0;
	return at + 10;
}

int
abst_doi_span(const char *text, int len, int at)
{
	int			i = at;
	int			end;

	if (len - at < 8 || text[i] != '1' || text[i + 1] != '0' ||
		text[i + 2] != '.')
		return 0;
	i += 3;
	while (i < len && i - at < 16 && (is_digit(text[i]) || text[i] == '.'))
		i++;
	if (i - at < 7 || i >= len || text[i] != '/')
		return 0;
	end = link_end(text, len, i + 1);
	end = Max(end, serial_end(text, len, i + 1));
	return end > i + 1 ? end - at : 0;
}

/* "arXiv:2101.00001v2", "arXiv 2101.00001", "arXiv:hep-th/9901001" */
static int
arxiv_span(const char *text, int len, int at)
{
	int			n = text[at] == 'a' || text[at] == 'A' ?
	has_prefix(text, len, at, "arxiv") : 0;
	int			version;
	int			i = at + n;
	int			id;

	if (n == 0)
	{
		id = abst_arxiv_id_span(text, len, at, &version);
		/* a bare new id looks like a number: only with its version */
		if (id > 0 && is_digit(text[at]) && version == 0)
			return 0;
		return id;
	}
	if (i < len && text[i] == ':')
		i++;
	if (i < len && text[i] == ' ')
		i++;
	if (i == at + n)
		return 0;
	id = abst_arxiv_id_span(text, len, i, &version);
	return id > 0 ? i + id - at : 0;
}

/* An URL that is a DOI or an arXiv id in other clothes. */
static AbstTokenType
url_type(const char *url, int len)
{
	static const char *const resolvers[] = {"doi.org/", "dx.doi.org/", "www.doi.org/"};
	static const char *const papers[] = {"arxiv.org/abs/", "arxiv.org/pdf/",
	"arxiv.org/html/", "www.arxiv.org/abs/", "www.arxiv.org/pdf/"};
	int			i = 0;
	int			version;

	if (has_prefix(url, len, 0, "http://"))
		i = 7;
	else if (has_prefix(url, len, 0, "https://"))
		i = 8;
	for (int k = 0; k < lengthof(resolvers); k++)
	{
		int			n = has_prefix(url, len, i, resolvers[k]);

		if (n && abst_doi_span(url, len, i + n) > 0)
			return ABST_TOK_DOI;
	}
	for (int k = 0; k < lengthof(papers); k++)
	{
		int			n = has_prefix(url, len, i, papers[k]);

		if (n && abst_arxiv_id_span(url, len, i + n, &version) > 0)
			return ABST_TOK_ARXIV;
	}
	return ABST_TOK_URL;
}

/* Are a host's labels, the last aside, lower case and of some length? */
static bool
is_lower_host(const char *s, int len)
{
	int			label = 0;

	for (int i = 0; i < len; i++)
	{
		if (s[i] >= 'A' && s[i] <= 'Z')
			return false;
		if (s[i] == '.')
		{
			if (i - label < 2)
				return false;
			label = i + 1;
		}
	}
	return true;
}

/* "git.ex/a_b", "doi.org/10.1/x", "example.com": host without a scheme. */
static int
host_span(const char *text, int len, int at, AbstLinkMemo *memo)
{
	int			limit = Min(len, at + 253);
	int			i = at;
	int			label = at;
	int			labels = 0;

	if (at < memo->no_host)
		return 0;
	for (; i < limit; i++)
	{
		if (text[i] == '.')
		{
			if (i == label)
				break;
			labels++;
			label = i + 1;
		}
		else if (!is_alpha(text[i]) && !is_digit(text[i]) && text[i] != '-')
			break;
	}
	/* the run's end decides, wherever in it one begins */
	memo->no_host = i;
	if (labels == 0 || i == label)
		return 0;
	if (!in_list(text +label, i - label, domains, lengthof(domains)))
		return 0;
	if (i < len && text[i] == '/')
	{
		int			end = link_end(text, len, i + 1);

		return Max(end, i + 1) - at;
	}
	/* pages.github.io: three labels, none of them short */
	if (labels >= 2 && label - at >= 8 && word_ends(text, len, i) &&
		!(i < len && text[i] == '@') &&is_lower_host(text +at, i - at))
		return i - at;
	/* without a path only the plainest names are hosts */
	if (i - label == 3 && word_ends(text, len, i) && label - at > 3 &&
		in_list(text +label, 3, domains, 5) && !(i < len && text[i] == '@'))
		return i - at;
	return 0;
}

static int
email_span(const char *text, int len, int at, AbstLinkMemo *memo)
{
	int			i = at;
	int			limit = Min(len, at + 64);
	int			label;
	bool		dot = false;

	if (memo->at_sign <= at)
	{
		const char *sign = memchr(text +at, '@', len - at);

		memo->at_sign = (sign ? (int) (sign - text) : len) + 1;
	}
	if (memo->at_sign > limit)
		return 0;
	while (i < limit && (is_alpha(text[i]) || is_digit(text[i]) ||
						 (i > at && strchr("._%+-", text[i]) && text[i])))
		i++;
	if (i == at || i >= limit || text[i] != '@' || strchr("._%+-", text[i - 1]))
		return 0;
	label = ++i;
	limit = Min(len, i + 253);
	while (i < limit)
	{
		if (is_alpha(text[i]) || is_digit(text[i]) ||
			(text[i] == '-' && i > label))
			i++;
		else if (text[i] == '.' && i > label && i + 1 < limit &&
				 (is_alpha(text[i + 1]) || is_digit(text[i + 1])))
		{
			dot = true;
			label = ++i;
		}
		else
			break;
	}
	if (!dot || i - label < 2)
		return 0;
	for (int k = label; k < i; k++)
		if (!is_alpha(text[k]))
			return 0;
	return word_ends(text, len, i) ? i - at : 0;
}

static int
link_span(const char *text, int len, int at, AbstLinkMemo *memo,
		  AbstTokenType *type)
{
	char		c = text[at];
	int			n;

	if ((n = abst_url_span(text, len, at)) > 0)
	{
		*type = url_type(text +at, n);
		return n;
	}
	if ((n = arxiv_span(text, len, at)) > 0)
	{
		*type = ABST_TOK_ARXIV;
		return n;
	}
	if (c == '1' && (n = abst_doi_span(text, len, at)) > 0)
	{
		*type = ABST_TOK_DOI;
		return n;
	}
	if ((c == 'd' || c == 'D') && (n = has_prefix(text, len, at, "doi:")) > 0)
	{
		int			doi;

		if (at + n < len && text[at + n] == ' ')
			n++;
		doi = abst_doi_span(text, len, at + n);
		if (doi > 0)
		{
			*type = ABST_TOK_DOI;
			return n + doi;
		}
	}
	if ((n = email_span(text, len, at, memo)) > 0)
	{
		*type = ABST_TOK_EMAIL;
		return n;
	}
	if ((n = host_span(text, len, at, memo)) > 0)
	{
		*type = url_type(text +at, n);
		return n;
	}
	return 0;
}

int
abst_link_span(const char *text, int len, int at, int limit,
			   AbstLinkMemo *memo, AbstTokenType *type)
{
	int			n = link_span(text, len, at, memo, type);

	return n <= limit - at ? n : 0;
}
