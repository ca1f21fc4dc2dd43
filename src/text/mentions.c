/*-------------------------------------------------------------------------
 *
 * mentions.c
 *		What a text mentions: names, links, numbers, formulas, citations.
 *
 *-------------------------------------------------------------------------
 */
#include "text/annotate.h"

#include "miscadmin.h"
#include "text/charclass.h"
#include "text/links.h"

/* The bare DOI in a token that has one, in lower case. */
static char *
doi_value(const char *s, int len)
{
	for (int at = 0; at + 3 < len; at++)
		if (s[at] == '1' && s[at + 1] == '0' && s[at + 2] == '.')
		{
			char	   *doi = pnstrdup(s + at, len - at);

			for (char *c = doi; *c; c++)
				*c = pg_ascii_tolower(*c);
			return doi;
		}
	return pnstrdup(s, len);
}

/* The bare arXiv id in a token that has one, without its version. */
static char *
arxiv_value(const char *s, int len)
{
	for (int at = 0; at < len; at++)
	{
		int			version;
		int			n;

		if (at > 0 &&
			abst_class_is_alnum(abst_char_class((unsigned char) s[at - 1])))
			continue;
		n = abst_arxiv_id_span(s, len, at, &version);
		/* "pdf/2101.00001.pdf" */
		if (n > 0)
			return pnstrdup(s + at, n - version);
	}
	return pnstrdup(s, len);
}

/* An address with a scheme, its host in lower case. */
static char *
url_value(const char *s, int len)
{
	char	   *url = pnstrdup(s, len);
	char	   *host = strstr(url, "://");

	if (host == NULL)
	{
		url = psprintf("https://%s", url);
		host = strstr(url, "://");
	}
	for (char *c = url; *c && (c < host + 3 || *c != '/'); c++)
		*c = pg_ascii_tolower(*c);
	return url;
}

static void
find_links(const AbstText *text, AbstList *mentions)
{
	for (int i = 0; i < text->ntokens; i++)
	{
		const AbstToken *token = &text->tokens[i];
		const char *s = text->plain->text +token->start;
		AbstMention mention = {0};

		CHECK_FOR_INTERRUPTS();
		switch (token->type)
		{
			case ABST_TOK_URL:
				mention.kind = ABST_MENTION_URL;
				mention.value = url_value(s, token->len);
				break;
			case ABST_TOK_DOI:
				mention.kind = ABST_MENTION_DOI;
				mention.value = doi_value(s, token->len);
				break;
			case ABST_TOK_ARXIV:
				mention.kind = ABST_MENTION_ARXIV;
				mention.value = arxiv_value(s, token->len);
				break;
			case ABST_TOK_MATH:
				mention.kind = ABST_MENTION_MATH;
				mention.value = pnstrdup(s, token->len);
				break;
			default:
				continue;
		}
		mention.span.start = token->start;
		mention.span.len = token->len;
		*(AbstMention *) abst_list_add(mentions) = mention;
	}
}

static int
cmp_mentions(const void *left, const void *right)
{
	const AbstMention *a = left;
	const AbstMention *b = right;

	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return 0;
}

AbstMention *
abst_mentions_find(const AbstText *text, int *n)
{
	AbstList	list;
	AbstMention *mentions;
	int			cited = 0;		/* end of the last citation */
	int			kept = 0;

	abst_list_init(&list, sizeof(AbstMention));
	abst_names_find(text, &list);
	find_links(text, &list);
	abst_citations_find(text, &list);
	abst_numbers_find(text, &list);
	mentions = (AbstMention *) list.entries;
	qsort(mentions, list.n, sizeof(AbstMention), cmp_mentions);
	/* the numbers of a citation are no quantities */
	for (int i = 0; i < list.n; i++)
	{
		if (mentions[i].kind == ABST_MENTION_CITATION)
			cited = Max(cited, mentions[i].span.start + mentions[i].span.len);
		else if (mentions[i].kind == ABST_MENTION_NUMBER &&
				 mentions[i].span.start < cited)
			continue;
		mentions[kept++] = mentions[i];
	}
	*n = kept;
	return mentions;
}
