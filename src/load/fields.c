/*-------------------------------------------------------------------------
 *
 * fields.c
 *		What sources call the fields of a record, and the normal forms of
 *		identifiers, years, and lists of names.
 *
 * Column headers and JSON members share one table.  A name is compared
 * without case, blanks and punctuation, so "Abstract Note", "abstractNote"
 * and "ABSTRACT_NOTE" are one.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include <ctype.h>

#include "load/record.h"

typedef struct FieldName
{
	AbstRecordField field;
	int			rank;			/* of several columns the lowest is taken */
	const char *names;			/* separated and enclosed by blanks */
} FieldName;

static const FieldName field_names[] = {
	{ABST_REC_KEY, 1, " key recordkey "},
	{ABST_REC_KEY, 2, " id uid paperid docid documentid recordid pid "
	"sourceid lensid referenceid internalid corpusid "},
	{ABST_REC_KEY, 3, " eid ut identifier accessionnumber centralid "
	"citationkey bibcode anthologyid forum "},
	{ABST_REC_TITLE, 1, " title articletitle documenttitle papertitle "
	"primarytitle titleprimary ti "},
	{ABST_REC_TITLE, 2, " titel titre titulo título titolo titulus 标题 题名 "
	"タイトル 제목 название заглавие "},
	{ABST_REC_TITLE, 3, " t1 maintitle originaltitle titleen titleenglish "},
	{ABST_REC_TITLE, 4, " displayname name headline "},
	{ABST_REC_ABSTRACT, 1, " abstract abstractnote abstracttext "
	"paperabstract abstracts ab "},
	{ABST_REC_ABSTRACT, 2, " zusammenfassung kurzfassung résumé resume "
	"resumen resumo riassunto samenvatting 摘要 要旨 抄録 초록 аннотация "},
	{ABST_REC_ABSTRACT, 3, " summary n2 abstracten abstractenglish "},
	{ABST_REC_ABSTRACT, 4, " description text "},
	{ABST_REC_ABSTRACT, 5, " content body tldr "},
	{ABST_REC_AUTHORS, 1, " authors author au authornames authorlist "
	"authorsprimary authorsnames "},
	{ABST_REC_AUTHORS, 2, " a1 autor autoren autores auteurs auteur autori "
	"authorfullnames authorsfullnames authorships 作者 "},
	{ABST_REC_AUTHORS, 3, " creators creator contributors "},
	{ABST_REC_YEAR, 1, " year publicationyear pubyear publishedyear "
	"yearpublished py "},
	{ABST_REC_YEAR, 2, " jahr erscheinungsjahr année annee año ano anno "
	"jaar 年 y1 "},
	{ABST_REC_YEAR, 3, " publicationdate datepublished publisheddate "
	"pubdate coverdate issued published date publishedprint "},
	{ABST_REC_YEAR, 4, " created publishedonline submitteddate "},
	{ABST_REC_YEAR, 5, " updatedate updated "},
	{ABST_REC_VENUE, 1, " venue journal journaltitle journalname sourcetitle "
	"publicationtitle containertitle publicationname journalbook "
	"periodicalfull "},
	{ABST_REC_VENUE, 2, " conference conferencename booktitle "
	"secondarytitle zeitschrift revue revista jo jf t2 journalref "},
	{ABST_REC_VENUE, 3, " source so publication "},
	{ABST_REC_DOI, 1, " doi articledoi digitalobjectidentifier paperdoi "},
	{ABST_REC_DOI, 2, " do di doiurl doilink "},
	{ABST_REC_ARXIV, 1, " arxiv arxivid arxivnumber "},
	{ABST_REC_ARXIV, 2, " eprint "},
	{ABST_REC_VERSION, 1, " version paperversion "},
	{ABST_REC_PMID, 1, " pmid pubmedid pubmed "},
	{ABST_REC_URL, 1, " url paperurl externalurl "},
	{ABST_REC_URL, 2, " link ur weblink href landingpageurl sourceurls urls "
	"plink "},
	{ABST_REC_URL, 3, " pdfurl pdf s2url links "},
	{ABST_REC_KEYWORDS, 1, " keywords keyword authorkeywords kw "},
	{ABST_REC_KEYWORDS, 2, " schlagworte schlagwörter stichworte motscles "
	"motsclés palabrasclave 关键词 "},
	{ABST_REC_KEYWORDS, 3, " tags manualtags subjects indexkeywords de "},
	{ABST_REC_KEYWORDS, 4, " categories topics fieldsofstudy meshterms mesh "},
	{ABST_REC_LANGUAGE, 1, " language lang la sprache langue idioma "},
	{ABST_REC_SECTION, 1, " section track "},
};

#define NAME_MAX_LEN 100

/* A name without case (ASCII), blanks and punctuation. */
static int
fold_name(char *out, const char *name, int len)
{
	int			i;
	int			n = 0;

	for (i = 0; i < len && n < NAME_MAX_LEN; i++)
	{
		unsigned char c = (unsigned char) name[i];

		if (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'))
			out[n++] = (char) c;
		else if (c >= 'A' && c <= 'Z')
			out[n++] = (char) (c + 'a' - 'A');
	}
	out[n] = '\0';
	return n;
}

int
abst_field_lookup(const AbstReadOptions *options, const char *name, int len,
				  int *rank)
{
	char		folded[NAME_MAX_LEN + 3];
	int			n;
	int			i;

	folded[0] = ' ';
	n = fold_name(folded + 1, name, len);
	for (i = 0; options != NULL && i < options->nmappings; i++)
	{
		const AbstMapping *mapping = &options->mappings[i];
		char		source[NAME_MAX_LEN + 1];

		/* a name made of signs alone is compared as it stands */
		fold_name(source, mapping->source, (int) strlen(mapping->source));
		if (n > 0 ? strcmp(source, folded + 1) == 0 :
			(len > 0 && (int) strlen(mapping->source) == len &&
			 memcmp(mapping->source, name, len) == 0))
		{
			*rank = 0;
			return mapping->field;
		}
	}
	if (n == 0)
		return -1;
	folded[n + 1] = ' ';
	folded[n + 2] = '\0';
	for (i = 0; i < lengthof(field_names); i++)
	{
		int			j;

		if (strstr(field_names[i].names, folded) == NULL)
			continue;
		/* a mapped field takes its values from nowhere else */
		for (j = 0; options != NULL && j < options->nmappings; j++)
		{
			if (options->mappings[j].field == field_names[i].field)
				return -1;
		}
		*rank = field_names[i].rank;
		return field_names[i].field;
	}
	return -1;
}

bool
abst_mapping_parse(const char *text, AbstMapping *mapping)
{
	const char *equal = strchr(text, '=');
	int			i;

	if (equal == NULL)
		return false;
	for (i = 0; i < ABST_REC_EXTRA; i++)
	{
		const char *name = abst_record_field_names[i];

		if (strlen(name) == (size_t) (equal - text) &&
			strncmp(name, text, equal - text) == 0)
		{
			mapping->field = (AbstRecordField) i;
			mapping->source = equal + 1;
			return true;
		}
	}
	return false;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
has_prefix(const char *text, int len, const char *prefix)
{
	int			n = (int) strlen(prefix);

	return len >= n && pg_strncasecmp(text, prefix, n) == 0;
}

/* The DOI in "text": 10.nnnn/…, wherever a spelling puts it. */
bool
abst_normal_doi(StringInfo out, const char *text, int len)
{
	int			i;

	for (i = 0; i + 6 < len; i++)
	{
		int			digits = i + 3;
		int			end;
		int			open = 0;

		if (text[i] != '1' || text[i + 1] != '0' || text[i + 2] != '.' ||
			(i > 0 && isalnum((unsigned char) text[i - 1])))
			continue;
		while (digits < len && (is_digit(text[digits]) || text[digits] == '.'))
			digits++;
		if (digits - i < 7 || digits >= len || text[digits] != '/')
			continue;
		for (end = digits + 1; end < len && !isspace((unsigned char) text[end]); end++)
		{
			if (strchr("\"<>", text[end]) != NULL)
				break;
			open += text[end] == '(';
			open -= text[end] == ')';
		}
		/* the sentence's punctuation is not the identifier's */
		while (end > digits + 1 && (strchr(".,;:]}", text[end - 1]) != NULL ||
									(text[end - 1] == ')' && open < 0)))
		{
			end--;
			open += text[end] == ')';
		}
		if (end == digits + 1)
			return false;
		for (; i < end; i++)
			appendStringInfoChar(out, text[i] >= 'A' && text[i] <= 'Z' ?
								 text[i] + 'a' - 'A' : text[i]);
		return true;
	}
	return false;
}

/* Archives of arXiv's old identifiers (archive/YYMMNNN). */
static const char *const old_archives[] = {
	"acc-phys", "adap-org", "alg-geom", "ao-sci", "astro-ph", "atom-ph",
	"bayes-an", "chao-dyn", "chem-ph", "cmp-lg", "comp-gas", "cond-mat",
	"cs", "dg-ga", "funct-an", "gr-qc", "hep-ex", "hep-lat", "hep-ph",
	"hep-th", "math", "math-ph", "mtrl-th", "nlin", "nucl-ex", "nucl-th",
	"patt-sol", "physics", "plasm-ph", "q-alg", "q-bio", "quant-ph",
	"solv-int", "supr-con"
};

/* Length of the arXiv identifier at "text" without version, or 0. */
static int
arxiv_length(const char *text, int len)
{
	int			n = 0;
	int			i;

	while (n < len && is_digit(text[n]))
		n++;
	if (n == 4 && n < len && text[4] == '.')
	{
		int			month = (text[2] - '0') * 10 + text[3] - '0';

		for (n = 5; n < len && is_digit(text[n]); n++)
			;
		/* four digits until 2014, five since */
		return month >= 1 && month <= 12 &&
			n == (strncmp(text, "1501", 4) < 0 ? 9 : 10) ? n : 0;
	}
	for (i = 0; i < lengthof(old_archives); i++)
	{
		int			m = (int) strlen(old_archives[i]);

		if (!has_prefix(text, len, old_archives[i]))
			continue;
		/* a subject class may follow: math.GT/0309136 */
		if (m + 3 < len && text[m] == '.' && text[m + 3] == '/')
			m += 3;
		if (m + 8 > len || text[m] != '/')
			continue;
		for (n = m + 1; n < len && is_digit(text[n]); n++)
			;
		if (n == m + 8)
			return n;
	}
	return 0;
}

bool
abst_normal_arxiv(StringInfo out, StringInfo version, const char *text, int len)
{
	static const char *const prefixes[] = {
		"https://", "http://", "www.", "export.", "arxiv.org/", "abs/",
		"pdf/", "html/", "arxiv:", "arxiv.", "oai:arxiv.org:", " "
	};
	int			i;
	int			n;

	for (i = 0; i < lengthof(prefixes);)
	{
		if (has_prefix(text, len, prefixes[i]))
		{
			text += strlen(prefixes[i]);
			len -= (int) strlen(prefixes[i]);
			i = 0;
		}
		else
			i++;
	}
	n = arxiv_length(text, len);
	if (n == 0)
		return false;
	i = n;
	if (i < len && (text[i] == 'v' || text[i] == 'V'))
	{
		for (i++; i < len && is_digit(text[i]) && i - n < 5; i++)
			;
		if (i == n + 1)
			return false;
		if (version->len == 0)
			appendBinaryStringInfo(version, text + n + 1, i - n - 1);
	}
	/* what follows may only be a file name's end or a subject in brackets */
	if (i < len && text[i] != ' ' && !has_prefix(text + i, len - i, ".pdf"))
		return false;
	appendBinaryStringInfo(out, text, n);
	return true;
}

/* The first number of four digits that stands alone, 1000 to 2999. */
bool
abst_normal_year(StringInfo out, const char *text, int len)
{
	int			i = 0;

	while (i < len)
	{
		int			n = 0;

		if (!is_digit(text[i]))
		{
			i++;
			continue;
		}
		while (i + n < len && is_digit(text[i + n]))
			n++;
		/* a date may be written without separators: 20210503 */
		if ((n == 4 || (n == 8 && len == 8)) &&
			(text[i] == '1' || text[i] == '2'))
		{
			appendBinaryStringInfo(out, text + i, 4);
			return true;
		}
		i += n;
	}
	return false;
}

/* All of it must be digits, but for a name or an address in front. */
bool
abst_normal_digits(StringInfo out, const char *text, int len)
{
	int			n = len;

	while (n > 0 && is_digit(text[n - 1]))
		n--;
	if (n == len || len - n > 9)
		return false;
	if (n > 0 && !(n == 1 && (text[0] == 'v' || text[0] == 'V')) &&
		!has_prefix(text, len, "pmid:") &&
		!has_prefix(text, len, "https://pubmed.ncbi.nlm.nih.gov/") &&
		!has_prefix(text, len, "http"))
		return false;
	appendBinaryStringInfo(out, text + n, len - n);
	return true;
}

/* Number of words, and where the next separator of "kind" is. */
static int
find_separator(const char *text, int len, int from, const char *separator)
{
	int			n = (int) strlen(separator);
	int			i;

	for (i = from; i + n <= len; i++)
	{
		if (memcmp(text + i, separator, n) == 0)
			return i;
	}
	return len;
}

static void
split_at(AbstRecord *record, AbstRecordField field, const char *text, int len,
		 const char *separator)
{
	int			at = 0;

	while (at <= len)
	{
		int			end = find_separator(text, len, at, separator);

		abst_record_put_item(record, field, text + at, end - at);
		at = end + (int) strlen(separator);
	}
}

/* Do all pieces between commas have two words or more ("Ann Lee, Bo Li")? */
static bool
commas_part_names(const char *text, int len)
{
	int			at = 0;
	int			pieces = 0;

	while (at <= len)
	{
		int			end = find_separator(text, len, at, ",");
		const char *piece = text + at;
		int			n = end - at;

		abst_trim(&piece, &n);
		if (n > 0 && memchr(piece, ' ', n) == NULL)
			return false;
		pieces += n > 0;
		at = end + 1;
	}
	return pieces > 1;
}

/*
 * Authors in one text: parted by ";" or "|", else by " and " and by commas
 * where commas part names and not a surname from its initials.
 */
void
abst_split_authors(AbstRecord *record, const char *text, int len)
{
	int			at = 0;

	if (memchr(text, ';', len) != NULL)
	{
		split_at(record, ABST_REC_AUTHORS, text, len, ";");
		return;
	}
	if (memchr(text, '|', len) != NULL)
	{
		split_at(record, ABST_REC_AUTHORS, text, len, "|");
		return;
	}
	while (at <= len)
	{
		int			end = find_separator(text, len, at, " and ");

		if (commas_part_names(text + at, end - at))
			split_at(record, ABST_REC_AUTHORS, text + at, end - at, ",");
		else
		{
			const char *piece = text + at;
			int			n = end - at;

			/* "Ann Lee, Bo Li, and Cy Young" leaves a comma behind */
			abst_trim(&piece, &n);
			while (n > 0 && piece[n - 1] == ',')
				n--;
			abst_record_put_item(record, ABST_REC_AUTHORS, piece, n);
		}
		at = end + 5;
	}
}

/* Keywords: parted by ";", "|" or ","; arXiv's categories by blanks. */
void
abst_split_keywords(AbstRecord *record, const char *text, int len)
{
	bool		categories = true;
	int			i;

	for (i = 0; i < len && categories; i++)
	{
		unsigned char c = (unsigned char) text[i];

		categories = isalpha(c) || c == '.' || c == '-' || c == ' ';
	}
	if (memchr(text, ';', len) != NULL)
		split_at(record, ABST_REC_KEYWORDS, text, len, ";");
	else if (memchr(text, '|', len) != NULL)
		split_at(record, ABST_REC_KEYWORDS, text, len, "|");
	else if (categories && memchr(text, '.', len) != NULL)
		split_at(record, ABST_REC_KEYWORDS, text, len, " ");
	else
		split_at(record, ABST_REC_KEYWORDS, text, len, ",");
}
