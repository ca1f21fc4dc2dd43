/*-------------------------------------------------------------------------
 *
 * json_fields.c
 *		Which member of a JSON object is which field of a record.
 *
 * Names come from the table in fields.c.  Shapes known beyond plain text:
 * people and venues as objects with a name, titles as arrays, values wrapped
 * as {"value": …}, dates as arrays of numbers, identifiers in an object of
 * their own.  What no field takes goes to extra as it is.
 *
 *-------------------------------------------------------------------------
 */
#include "compat.h"

#include "load/json.h"

/* Objects whose members count as the record's, if it has none of the name. */
static const char *const containers[] = {
	"externalIds", "ids", "identifiers", "content", "_source", "metadata"
};

/* Best member for each field. */
typedef struct Choice
{
	const AbstJson *member[ABST_REC_NFIELDS];
	int			rank[ABST_REC_NFIELDS];
} Choice;

static bool
is_container(const AbstJson *member)
{
	int			i;

	if (member->kind != ABST_JSON_OBJECT)
		return false;
	for (i = 0; i < lengthof(containers); i++)
	{
		if (strcmp(member->name, containers[i]) == 0)
			return true;
	}
	return false;
}

static const AbstJson *
find_member(const AbstJson *object, const char *name)
{
	const AbstJson *child;

	for (child = object->first; child != NULL; child = child->next)
	{
		if (strcmp(child->name, name) == 0)
			return child;
	}
	return NULL;
}

/* The text that stands for a value: itself, a name in it, its first element. */
static const AbstJson *
text_of(const AbstJson *value)
{
	static const char *const names[] = {
		"value", "name", "display_name", "displayName", "full_name",
		"fullName", "title", "raw_author_name", "literal", "text", "url",
		"term", "id"
	};
	int			i;

	switch (value->kind)
	{
		case ABST_JSON_STRING:
		case ABST_JSON_OTHER:
			return value;
		case ABST_JSON_ARRAY:
			return value->first ? text_of(value->first) : NULL;
		case ABST_JSON_OBJECT:
			for (i = 0; i < lengthof(names); i++)
			{
				const AbstJson *member = find_member(value, names[i]);

				if (member != NULL && (member = text_of(member)) != NULL)
					return member;
			}
			return NULL;
		default:
			return NULL;
	}
}

/* Is there anything to take from a value for this field? */
static bool
is_usable(AbstRecordField field, const AbstJson *value)
{
	const AbstJson *text;

	if (value->kind == ABST_JSON_NULL)
		return false;
	if (abst_field_is_list(field) || field == ABST_REC_YEAR)
		return value->first != NULL || value->len > 0;
	text = text_of(value);
	return text != NULL && strspn(text->text, " \t\n") < (size_t) text->len;
}

static void
choose(Choice *choice, const AbstJson *object, const AbstReadOptions *options,
	   int penalty)
{
	const AbstJson *member;

	for (member = object->first; member != NULL; member = member->next)
	{
		int			rank;
		int			field = abst_field_lookup(options, member->name,
											  (int) strlen(member->name),
											  &rank);

		if (field < 0 || is_container(member) ||
			!is_usable((AbstRecordField) field, member))
			continue;
		rank += rank == 0 ? 0 : penalty;
		if (choice->member[field] == NULL || rank < choice->rank[field])
		{
			choice->member[field] = member;
			choice->rank[field] = rank;
		}
	}
}

/* "Given Family" of an object with name parts, or its name. */
static void
put_person(AbstRecord *record, AbstRecordField field, const AbstJson *value)
{
	static const char *const given[] = {"given", "first", "firstName",
	"first_name", "forename", "givenName"};
	static const char *const family[] = {"family", "last", "lastName",
	"last_name", "surname", "familyName"};
	const AbstJson *first = NULL;
	const AbstJson *last = NULL;
	const AbstJson *text;
	int			i;

	if (value->kind == ABST_JSON_OBJECT)
	{
		const AbstJson *inner = find_member(value, "author");

		if (inner != NULL && inner->kind == ABST_JSON_OBJECT)
			value = inner;
		for (i = 0; i < lengthof(given); i++)
		{
			if (first == NULL)
				first = find_member(value, given[i]);
			if (last == NULL)
				last = find_member(value, family[i]);
		}
	}
	first = first ? text_of(first) : NULL;
	last = last ? text_of(last) : NULL;
	if (last != NULL)
	{
		StringInfoData name;

		initStringInfo(&name);
		if (first != NULL && first->len > 0)
			appendStringInfo(&name, "%s ", first->text);
		appendStringInfoString(&name, last->text);
		abst_record_put_item(record, field, name.data, name.len);
		pfree(name.data);
	}
	else if ((text = text_of(value)) != NULL)
		abst_record_put_item(record, field, text->text, text->len);
}

static void
put_list(AbstRecord *record, AbstRecordField field, const AbstJson *value)
{
	const AbstJson *item;

	if (value->kind == ABST_JSON_OBJECT)
	{
		const AbstJson *inner = find_member(value, "value");

		if (inner != NULL)
			value = inner;
	}
	if (value->kind == ABST_JSON_ARRAY)
	{
		/* one string of several categories is a list too */
		if (field == ABST_REC_KEYWORDS && value->first != NULL &&
			value->first->next == NULL &&
			value->first->kind == ABST_JSON_STRING &&
			strpbrk(value->first->text, ";|") != NULL)
			abst_record_put(record, field, value->name,
							value->first->text, value->first->len);
		else
		{
			for (item = value->first; item != NULL; item = item->next)
				put_person(record, field, item);
		}
	}
	else if (value->kind == ABST_JSON_OBJECT)
		put_person(record, field, value);
	else
		abst_record_put(record, field, value->name, value->text, value->len);
}

/* Put a member; false if extra should keep it whole as well. */
static bool
put_member(AbstRecord *record, AbstRecordField field, const AbstJson *value)
{
	const AbstJson *text;
	int			before = record->value[field].len;

	if (abst_field_is_list(field))
	{
		put_list(record, field, value);
		return record->value[field].len > before;
	}
	if (field == ABST_REC_YEAR && value->kind != ABST_JSON_STRING)
	{
		StringInfoData json;

		initStringInfo(&json);
		abst_json_write(&json, value);
		abst_normal_year(&record->value[field], json.data, json.len);
		pfree(json.data);
		return value->kind == ABST_JSON_OTHER &&
			record->value[field].len > before;
	}
	text = text_of(value);
	if (field == ABST_REC_ABSTRACT && value->kind == ABST_JSON_ARRAY &&
		value->first != NULL && value->first->next != NULL)
	{
		StringInfoData all;

		/* paragraphs of one abstract */
		initStringInfo(&all);
		for (value = value->first; value != NULL; value = value->next)
		{
			text = text_of(value);
			if (text != NULL)
				appendStringInfo(&all, "%s%s", all.len > 0 ? "\n" : "",
								 text->text);
		}
		abst_record_put(record, field, "abstract", all.data, all.len);
		pfree(all.data);
		return true;
	}
	abst_record_put(record, field, value->name, text->text, text->len);
	return text == value ||
		(value->kind == ABST_JSON_ARRAY && value->first == text &&
		 text->next == NULL);
}

void
abst_json_fill(AbstRecord *record, const AbstJson *object,
			   const AbstReadOptions *options)
{
	Choice		choice;
	StringInfoData json;
	const AbstJson *member;
	int			i;

	memset(&choice, 0, sizeof(choice));
	choose(&choice, object, options, 0);
	for (member = object->first; member != NULL; member = member->next)
	{
		if (is_container(member))
			choose(&choice, member, options, 10);
	}
	initStringInfo(&json);
	for (i = 0; i < ABST_REC_NFIELDS; i++)
	{
		if (choice.member[i] != NULL &&
			put_member(record, (AbstRecordField) i, choice.member[i]))
			continue;
		choice.member[i] = NULL;
	}

	/* the rest, containers whole */
	for (member = object->first; member != NULL; member = member->next)
	{
		for (i = 0; i < ABST_REC_NFIELDS && choice.member[i] != member; i++)
			;
		if (i < ABST_REC_NFIELDS || member->kind == ABST_JSON_NULL)
			continue;
		resetStringInfo(&json);
		abst_json_write(&json, member);
		abst_record_put_extra(record, member->name, json.data, json.len);
	}
	pfree(json.data);
}
