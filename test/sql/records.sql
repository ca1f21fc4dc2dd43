--
-- Readers of file formats, through SQL
--
SET client_min_messages = warning;
-- a view of the columns that have a value
CREATE FUNCTION pg_temp.show(content text, format text DEFAULT 'auto',
	mapping text[] DEFAULT '{}') RETURNS SETOF text LANGUAGE sql AS
$$SELECT line || ' ' || coalesce('REJECT ' || reject || ' <' || replace(raw, E'\n', '|') || '>',
	jsonb_strip_nulls(to_jsonb(r) - 'line' - 'raw' - 'reject')::text)
  FROM abstracts_records($1, $2, $3) r$$;

-- JSON Lines: shapes of members, numbers as ids, nulls, nested objects
SELECT pg_temp.show($$
{"id": 17, "title": "One", "abstract": "First text.", "year": 2021, "authors": [{"name": "Ann Lee"}, "Bo Li"], "venue": null, "x": {"a": [1, null, "b"]}}
{"_id": "b2", "title": ["Two"], "text": " Second. ", "authors": "Cy Young and Di Ito", "publication_date": "12 May 2019"}
{"paperId": "c3", "title": "Three", "externalIds": {"DOI": "10.1000/ABC.3", "ArXiv": "2101.00001v2"}, "year": null}
{"title": "Four", "doi": "https://doi.org/10.1000/Four", "authors": [{"given": "Eve", "family": "Roe"}], "keywords": ["a", "b"]}
{"id": "hep-th/9901001", "title": "Five\n  goes on", "abstract": "  Text\n  wrapped.", "categories": "hep-th math.QA", "update_date": "2008-11-26"}
{"content": {"title": {"value": "Six"}, "abstract": {"value": "Sixth."}}, "id": "f6"}
{"id": "1602.058", "title": "Seven is no arXiv id"}
$$);

-- repairs inside JSON: NaN, NUL, lone surrogates, control characters,
-- backslashes not doubled, huge numbers
SELECT pg_temp.show('{"id": 1, "title": "a\u0000b\ud83dc\ud83d\ude00", "abstract": "tab	in \alpha \unit", "year": NaN, "n": 1e99999, "m": -Infinity}');

-- bad records stand alone
SELECT pg_temp.show($$
{"title": "ok 1"}
{"title": "cut in the mid
{"title": "ok 2"}
not JSON at all
{"title": "no bracket", "authors": ["a"
{"title": "ok 3"}
{"title": "two brackets"}}
{"title": "wrong bracket"]
{"title": "ok 4", "abstract": "a { b } \" c"}
{"year": 2020}
{"title": "bad token", "x": tru}
{"title":
 "ok 5, over
lines"}
{"title": "the last one is cut", "abs$$);

-- one array; without its end; elements that are no objects
SELECT pg_temp.show('[{"title":"A"},null,{"title":"B","x":[1},{"title":"C"}, {"title":"D"}');
SELECT pg_temp.show($$[
  {
    "title": "A",
    "authors": [
      {"name": "x"},
      {"name": "y"}
    ]
  },
  {
    "title": "B
  },
  {
    "title": "C"
  }
]$$);
SELECT count(*) FROM abstracts_records('[]');
SELECT left(reject, 40) FROM abstracts_records('{"title":"deep","x":' || repeat('[', 100000));
SELECT left(reject, 40) FROM abstracts_records('{"title":"deep","x":' || repeat('[', 500) || repeat(']', 500) || '}');

-- CSV: header names, delimiter, quotes, line ends
SELECT pg_temp.show(E'id;Titel;Abstract Note;Jahr\n1;"Gescoopt" risico management;x;2020\n2;"Never closed;y;2019\n3;"multi\nline ""q""; semi";z;2018\n4;B;w\n5;NA;NA;2001\n6;"He said "hi; there" loudly";y;1999;\n\n;;;\n7;last;"never closed;2000\n');
SELECT pg_temp.show(E'\uFEFF"Document Title","Authors","Abstract","DOI","Cited by"\r\n"T, one","Lee, A.; Li, B.","A1","doi:10.1/x y","3"\r\n"T two","","A2","https://dx.doi.org/10.1234/Ab(c)d.",""\r\n"unclosed,"x","y","z","w"\r\n"T three","","A3","",""\r\n');
SELECT pg_temp.show(E'About the data: exported 2024\n\ntitle\tabstract\tyear\nA "quoted" word\tx, y; z\t2001\nB\t"two\nlines"\tn.d.\n');
SELECT pg_temp.show(E'title|abstract\na|b\n');
-- an unclosed field does not take the records after it, quoted or not
SELECT pg_temp.show(E'id,title,abstract\n1,"open,a\n2,b,b\n3,"c c","c, c"\n4,"open,d\n5,"e","multi\nline"\n6,f,f\n');

-- mapping; a field that is mapped takes nothing else
SELECT pg_temp.show(E'Heading,title,Text\nH,t,x\n', 'csv', '{title=Heading,abstract=Text}');
SELECT pg_temp.show('{"id": 5, "title": "x", "Kopf": "k"}', 'jsonl', '{key=,title=Kopf}');

-- plain lists
SELECT pg_temp.show($$Conference 2026: accepted papers

We study cats. They purr
and wrap over
lines.

[2] A second abstract, which is short.

## Part two

A title above
This text follows its title and goes on for quite a while, so that it can be told from a heading; it also ends properly. And a second sentence is here to make it longer than a line.

----

However, a paragraph that is wrapped by hand at about sixty
characters has no title, even if its first line could be one
by its length and by what it holds, since it was full.
$$);
SELECT pg_temp.show($$== List ==

First title

The first abstract. It has two sentences.

Second title: is it one?

The second abstract is this.

# Third title
The third abstract is this.
$$);
SELECT pg_temp.show($$Title: Labelled
Authors: Ann Lee, Bo Li
Year: 2020

Abstract: This one has labels,
and two lines.
DOI: 10.1000/182

Title: Another
Abstract: Short.
$$);
SELECT pg_temp.show($$one short line

another short line

a third short line

and a fourth$$);
SELECT line, section, left(abstract, 12) AS abstract FROM abstracts_records(
	E'The list\n' || repeat('This line is an abstract of its own, it is long, and it ends with a full stop here.' || E'\n', 3));
SELECT count(*) FROM abstracts_records('');
SELECT count(*) FROM abstracts_records(E'\n \n\t\n');

-- bytes: encodings, NUL, line ends
SELECT title, abstract FROM abstracts_records('\xefbbbf7b227469746c65223a22c3a9227d0d7b227469746c65223a22620063ff227d'::bytea);
SELECT title, abstract FROM abstracts_records(convert_to('title,abstract' || E'\n' || 'café,“x”', 'WIN1252'));
SELECT title, abstract FROM abstracts_records('\xfffe7400690074006c0065002c006100620073007400720061006300740000000a00e9002c003dd800de0a00'::bytea);

-- keys: DOI, arXiv id without version, own id, content
SELECT line, key, doi, arxiv, version, extra FROM abstracts_records($$
{"title": "a", "doi": "DOI: 10.48550/arXiv.2101.00001"}
{"title": "a", "url": "http://arxiv.org/abs/2101.00001v3"}
{"title": "a", "url": "https://doi.org/10.1000/x", "id": "mine"}
{"title": "a", "pmid": "https://pubmed.ncbi.nlm.nih.gov/12345"}
{"title": "Same  Text", "abstract": "x"}
{"title": "same text", "abstract": " x"}
$$);
SELECT length(key), left(key, 7) FROM abstracts_records('{"title": "a", "id": "' || repeat('k', 5000) || '"}');

-- raw text of a reject is cut with a mark
SELECT length(raw), right(raw, 30) FROM abstracts_records('{"foo": "' || repeat('x', 20000) || '"}');

-- what is not read says so
SELECT * FROM abstracts_records(E'TY  - JOUR\nTI  - x\nER  - \n');
SELECT * FROM abstracts_records('@article{a, title = {x}}');
SELECT * FROM abstracts_records('<?xml version="1.0"?><a/>');
SELECT * FROM abstracts_records('a,b', 'csv');
SELECT * FROM abstracts_records('x', 'docx');
SELECT * FROM abstracts_records('x', 'csv', '{nofield=x}');
SELECT * FROM abstracts_records(NULL::text);
