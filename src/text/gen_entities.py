#!/usr/bin/env python3
"""Write entity_table.h: the named characters of HTML 5.

Uses only the standard library.  Run it in this folder:
	python3 gen_entities.py > entity_table.h
"""
from html.entities import html5

names = {}
for name, chars in html5.items():
    if name.endswith(';') and len(chars) == 1:
        names[name[:-1]] = ord(chars)

print('''/*-------------------------------------------------------------------------
 *
 * entity_table.h
 *		The named characters of HTML 5, sorted by name.
 *
 * Made by gen_entities.py; do not edit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ABST_TEXT_ENTITY_TABLE_H
#define ABST_TEXT_ENTITY_TABLE_H

#define ABST_MAX_ENTITY_NAME %d

static const struct
{
	const char *name;
	uint32		cp;
}			entity_table[] = {''' % max(len(n) for n in names))
row = []
items = sorted(names.items())
for i, (name, cp) in enumerate(items):
    row.append('{"%s", 0x%X}' % (name, cp))
    if len(row) == 3 or i == len(items) - 1:
        print('\t' + ', '.join(row) + (',' if i < len(items) - 1 else ''))
        row = []
print('};\n\n#endif\t\t\t\t\t\t\t/* ABST_TEXT_ENTITY_TABLE_H */')
