/* sql/abstracts--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION abstracts" to load this file. \quit

------------------------------------------------------------------------
-- 1. Reading: display text, tokens, the parser, dictionaries, the
--    configuration "abstracts", document vectors
------------------------------------------------------------------------

CREATE FUNCTION abstracts_parser_start(internal, int4) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_parser_start' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_token(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_parser_token' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_end(internal) RETURNS void
	AS 'MODULE_PATHNAME', 'abst_parser_end' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_types(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_parser_types' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION abstracts_parser_start(internal, int4)
	IS 'text search parser "abstracts": start';
COMMENT ON FUNCTION abstracts_parser_token(internal, internal, internal)
	IS 'text search parser "abstracts": next token';
COMMENT ON FUNCTION abstracts_parser_end(internal)
	IS 'text search parser "abstracts": end';
COMMENT ON FUNCTION abstracts_parser_types(internal)
	IS 'text search parser "abstracts": token types';

CREATE TEXT SEARCH PARSER abstracts (
	START = abstracts_parser_start,
	GETTOKEN = abstracts_parser_token,
	END = abstracts_parser_end,
	HEADLINE = pg_catalog.prsd_headline,
	LEXTYPES = abstracts_parser_types
);
COMMENT ON TEXT SEARCH PARSER abstracts
	IS 'scientific text: markup, formulas, names, numbers, links, compounds';

CREATE FUNCTION abstracts_dictionary_init(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_dictionary_init' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION abstracts_dictionary_init(internal)
	IS 'initialize a dictionary that takes no parameters';

CREATE FUNCTION abstracts_fold_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_fold_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_fold (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_fold_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_fold (TEMPLATE = abstracts_fold);
COMMENT ON FUNCTION abstracts_fold_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_fold';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_fold
	IS 'lower case without accents, ligatures and look-alikes (a filter)';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_fold
	IS 'lower case without accents, ligatures and look-alikes (a filter)';

CREATE FUNCTION abstracts_name_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_name_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_name (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_name_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_name (TEMPLATE = abstracts_name);
COMMENT ON FUNCTION abstracts_name_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_name';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_name
	IS 'names and acronyms: folded, plural s taken off, never stemmed';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_name
	IS 'names and acronyms: folded, plural s taken off, never stemmed';

CREATE FUNCTION abstracts_number_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_number_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_number (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_number_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_number (TEMPLATE = abstracts_number);
COMMENT ON FUNCTION abstracts_number_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_number';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_number
	IS 'numbers in one form: 1,024 is 1024';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_number
	IS 'numbers in one form: 1,024 is 1024';

CREATE FUNCTION abstracts_unit_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_unit_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_unit (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_unit_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_unit (TEMPLATE = abstracts_unit);
COMMENT ON FUNCTION abstracts_unit_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_unit';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_unit
	IS 'units of measurement, with either micro sign or u';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_unit
	IS 'units of measurement, with either micro sign or u';

CREATE FUNCTION abstracts_link_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_link_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_link (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_link_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_link (TEMPLATE = abstracts_link);
COMMENT ON FUNCTION abstracts_link_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_link';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_link
	IS 'URLs, DOIs and arXiv ids in the form they are looked up by';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_link
	IS 'URLs, DOIs and arXiv ids in the form they are looked up by';

CREATE FUNCTION abstracts_math_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_math_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_math (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_math_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_math (TEMPLATE = abstracts_math);
COMMENT ON FUNCTION abstracts_math_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_math';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_math
	IS 'formulas without blanks and layout, and the names in them';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_math
	IS 'formulas without blanks and layout, and the names in them';

CREATE FUNCTION abstracts_greek_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_greek_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_greek (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_greek_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_greek (TEMPLATE = abstracts_greek);
COMMENT ON FUNCTION abstracts_greek_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_greek';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_greek
	IS 'a Greek letter and its name';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_greek
	IS 'a Greek letter and its name';

CREATE FUNCTION abstracts_cjk_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_cjk_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_cjk (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_cjk_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_cjk (TEMPLATE = abstracts_cjk);
COMMENT ON FUNCTION abstracts_cjk_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_cjk';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_cjk
	IS 'pairs of neighbouring characters';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_cjk
	IS 'pairs of neighbouring characters';

CREATE FUNCTION abstracts_compound_init(internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_compound_init' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_compound_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_compound_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_compound (
	INIT = abstracts_compound_init, LEXIZE = abstracts_compound_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_compound (
	TEMPLATE = abstracts_compound, DICTIONARY = pg_catalog.english_stem);
COMMENT ON FUNCTION abstracts_compound_init(internal)
	IS 'initialize a dictionary of the template abstracts_compound';
COMMENT ON FUNCTION abstracts_compound_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_compound';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_compound
	IS 'joined words: the glue, and the parts by the dictionary named in the parameter "dictionary"';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_compound
	IS 'joined words: the glue, and the parts by english_stem';

CREATE FUNCTION abstracts_hanging_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_hanging_lexize' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_hanging (
	INIT = abstracts_compound_init, LEXIZE = abstracts_hanging_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_hanging (
	TEMPLATE = abstracts_hanging, DICTIONARY = pg_catalog.english_stem);
COMMENT ON FUNCTION abstracts_hanging_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_hanging';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_hanging
	IS 'words that hang with a hyphen: the whole word and what stands there, by the dictionary named in the parameter "dictionary"';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_hanging
	IS 'words that hang with a hyphen: the whole word and what stands there, by english_stem';

CREATE TEXT SEARCH CONFIGURATION abstracts (PARSER = abstracts);
COMMENT ON TEXT SEARCH CONFIGURATION abstracts
	IS 'scientific abstracts in English';
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR word WITH abstracts_fold, pg_catalog.english_stem;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR name, acronym WITH abstracts_name;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR email, url, doi, arxiv WITH abstracts_link;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR number, percent WITH abstracts_number;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR math WITH abstracts_math;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR cjk WITH abstracts_cjk;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR greek WITH abstracts_greek;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR compound WITH abstracts_compound;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR hanging WITH abstracts_hanging;
ALTER TEXT SEARCH CONFIGURATION abstracts
	ADD MAPPING FOR unit WITH abstracts_unit;

CREATE FUNCTION abstract_plain(raw text) RETURNS text
	AS 'MODULE_PATHNAME', 'abst_plain_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION abstract_plain(text)
	IS 'display text: markup gone, characters composed, one space between words';

CREATE FUNCTION abstract_tokens(raw text,
	OUT kind text, OUT token text, OUT start int, OUT length int,
	OUT lexemes text[], OUT "position" int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_tokens_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 200;
COMMENT ON FUNCTION abstract_tokens(text)
	IS 'tokens of a text with their place in it (in characters, from 1) and their lexemes';
CREATE FUNCTION abstract_tokens(raw text, config regconfig,
	OUT kind text, OUT token text, OUT start int, OUT length int,
	OUT lexemes text[], OUT "position" int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_tokens_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 200;
COMMENT ON FUNCTION abstract_tokens(text, regconfig)
	IS 'tokens of a text with their place in it (in characters, from 1) and their lexemes';

CREATE FUNCTION abstract_sentences(raw text,
	OUT number int, OUT sentence text, OUT start int, OUT length int)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_sentences_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 500 ROWS 10;
COMMENT ON FUNCTION abstract_sentences(text)
	IS 'sentences of a text with their place in it (in characters, from 1)';

CREATE FUNCTION abstract_sections(raw text,
	OUT number int, OUT label text, OUT kind text, OUT section text,
	OUT start int, OUT length int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_sections_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 500 ROWS 5;
COMMENT ON FUNCTION abstract_sections(text)
	IS 'sections of a structured abstract: label as it stands, its kind, the text without the label and its place';

CREATE FUNCTION abstract_acronyms(raw text,
	OUT short text, OUT long text, OUT start int, OUT length int,
	OUT long_start int, OUT long_length int, OUT form text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_acronyms_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 500 ROWS 3;
COMMENT ON FUNCTION abstract_acronyms(text)
	IS 'short forms that a text explains, their long forms, and the places of both';

CREATE FUNCTION abstract_entities(raw text,
	OUT kind text, OUT entity text, OUT value text, OUT number numeric,
	OUT high numeric, OUT margin numeric, OUT unit text, OUT bound text,
	OUT context text, OUT start int, OUT length int, OUT sentence int)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_entities_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 15;
COMMENT ON FUNCTION abstract_entities(text)
	IS 'systems, data sets, models, links, numbers with their units, formulas and citations in a text';

CREATE FUNCTION abstract_keywords(raw text, n int DEFAULT 10,
	OUT keyword text, OUT score float8, OUT count int, OUT start int,
	OUT length int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_keywords_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 10;
COMMENT ON FUNCTION abstract_keywords(text, int)
	IS 'the n best key phrases of a text, best first, as they stand where they come first';

CREATE FUNCTION abstracts_acronyms_add(internal, text) RETURNS internal
	AS 'MODULE_PATHNAME', 'abst_acronyms_add_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstracts_acronyms_add(internal, text)
	IS 'aggregate transition function';
CREATE FUNCTION abstracts_acronyms_done(internal) RETURNS jsonb
	AS 'MODULE_PATHNAME', 'abst_acronyms_done_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION abstracts_acronyms_done(internal)
	IS 'aggregate final function';
CREATE AGGREGATE abstracts_acronyms(raw text) (
	SFUNC = abstracts_acronyms_add, STYPE = internal,
	FINALFUNC = abstracts_acronyms_done, PARALLEL = SAFE);
COMMENT ON AGGREGATE abstracts_acronyms(text)
	IS 'acronyms that texts explain, as an array of {short, long, texts}, the most frequent first';

CREATE FUNCTION abstract_vector(title text, abstract text) RETURNS tsvector
	AS 'MODULE_PATHNAME', 'abst_vector_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_vector(text, text)
	IS 'title (A) and abstract (B) read by the configuration "abstracts"';
CREATE FUNCTION abstract_vector(title text, abstract text, config regconfig) RETURNS tsvector
	AS 'MODULE_PATHNAME', 'abst_vector_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_vector(text, text, regconfig)
	IS 'title (A) and abstract (B) read by a text search configuration';

CREATE FUNCTION abstract_boilerplate(abstract text,
	OUT kind text, OUT start int, OUT length int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_boilerplate_sql' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 100 ROWS 2;
COMMENT ON FUNCTION abstract_boilerplate(text)
	IS 'what of an abstract is no text of its own (place in characters, from 1); documents leave it out';
CREATE FUNCTION abstract_boilerplate(title text, abstract text,
	OUT kind text, OUT start int, OUT length int) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'abst_boilerplate_sql' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100 ROWS 2;
COMMENT ON FUNCTION abstract_boilerplate(text, text)
	IS 'what of an abstract is no text of its own, its title included; documents leave it out';

-- Configurations for other languages

CREATE FUNCTION abstracts_create_config(language text) RETURNS regconfig
	AS 'MODULE_PATHNAME', 'abst_create_config_sql' LANGUAGE C STRICT VOLATILE PARALLEL UNSAFE COST 10000;
COMMENT ON FUNCTION abstracts_create_config(text)
	IS 'create the configuration abstracts_LANGUAGE over the Snowball stemmer of a language';

-- (end of section 1)

------------------------------------------------------------------------
-- 2. Queries: the type abstract_query, matching and scoring of rows,
--    operators
------------------------------------------------------------------------

CREATE TYPE abstract_query;

CREATE FUNCTION abstract_query_in(cstring) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_query_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_query_in(cstring) IS 'I/O';

CREATE FUNCTION abstract_query_out(abstract_query) RETURNS cstring
    AS 'MODULE_PATHNAME', 'abst_sql_query_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_query_out(abstract_query) IS 'I/O';

CREATE FUNCTION abstract_query_recv(internal) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_query_recv'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_query_recv(internal) IS 'I/O';

CREATE FUNCTION abstract_query_send(abstract_query) RETURNS bytea
    AS 'MODULE_PATHNAME', 'abst_sql_query_send'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_query_send(abstract_query) IS 'I/O';

CREATE TYPE abstract_query (
    INPUT = abstract_query_in,
    OUTPUT = abstract_query_out,
    RECEIVE = abstract_query_recv,
    SEND = abstract_query_send,
    INTERNALLENGTH = VARIABLE,
    ALIGNMENT = int4,
    STORAGE = extended
);
COMMENT ON TYPE abstract_query IS
    'a search, or a document to be compared with, and the statistics that weigh its words';

-- Making queries

CREATE FUNCTION abstract_query(source text) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_query_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_query(text) IS
    'query from what a user typed; no text is an error';

CREATE FUNCTION abstract_query(source text, stats jsonb) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_query_stats'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION abstract_query(text, jsonb) IS
    'query bound to the statistics given as JSON';

CREATE FUNCTION abstract_expand(query text, acronyms jsonb) RETURNS text
    AS 'MODULE_PATHNAME', 'abst_expand_sql'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION abstract_expand(text, jsonb) IS
    'text of a query that also asks for the other form of acronyms, as abstracts_acronyms lists them';

CREATE FUNCTION abstract_like(document text) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_like_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION abstract_like(text) IS
    'query for what is similar to a text';

CREATE FUNCTION abstract_like(document tsvector) RETURNS abstract_query
    AS 'MODULE_PATHNAME', 'abst_sql_like_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION abstract_like(tsvector) IS
    'query for what is similar to a document';

-- Where a query is wanted, a column or parameter of type text is one.
CREATE CAST (text AS abstract_query)
    WITH FUNCTION abstract_query(text) AS IMPLICIT;
COMMENT ON CAST (text AS abstract_query) IS 'query from what a user typed';

CREATE CAST (varchar AS abstract_query)
    WITH FUNCTION abstract_query(text) AS IMPLICIT;
COMMENT ON CAST (varchar AS abstract_query) IS 'query from what a user typed';

-- Rows under a query

CREATE FUNCTION abstract_match(document tsvector, query abstract_query)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'abst_sql_match_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION abstract_match(tsvector, abstract_query) IS
    'does the document match the query?';

CREATE FUNCTION abstract_match(document text, query abstract_query)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'abst_sql_match_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION abstract_match(text, abstract_query) IS
    'does the text match the query?';

CREATE FUNCTION abstract_distance(document tsvector, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_distance_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION abstract_distance(tsvector, abstract_query) IS
    'minus the score; for abstract_like, 1 minus the similarity';

CREATE FUNCTION abstract_distance(document text, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_distance_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION abstract_distance(text, abstract_query) IS
    'minus the score; for abstract_like, 1 minus the similarity';

CREATE FUNCTION abstract_score(document tsvector, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_score_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION abstract_score(tsvector, abstract_query) IS
    'BM25F score of the document; for abstract_like, its similarity';

CREATE FUNCTION abstract_score(document text, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_score_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION abstract_score(text, abstract_query) IS
    'BM25F score of the text; for abstract_like, its similarity';

CREATE FUNCTION abstract_explain(document tsvector, query abstract_query,
    OUT term text, OUT tf integer[], OUT df float8, OUT idf float8,
    OUT part float8, OUT share float8) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'abst_sql_explain_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 ROWS 10;
COMMENT ON FUNCTION abstract_explain(tsvector, abstract_query) IS
    'terms of the query in the document: frequency by field, documents with the term, weight, part and share of the score';

CREATE FUNCTION abstract_explain(document text, query abstract_query,
    OUT term text, OUT tf integer[], OUT df float8, OUT idf float8,
    OUT part float8, OUT share float8) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'abst_sql_explain_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500 ROWS 10;
COMMENT ON FUNCTION abstract_explain(text, abstract_query) IS
    'terms of the query in the text: frequency by field, documents with the term, weight, part and share of the score';

CREATE OPERATOR @~ (
    LEFTARG = tsvector, RIGHTARG = abstract_query,
    FUNCTION = abstract_match
);
COMMENT ON OPERATOR @~ (tsvector, abstract_query) IS
    'does the document match the query?';

CREATE OPERATOR @~ (
    LEFTARG = text, RIGHTARG = abstract_query,
    FUNCTION = abstract_match
);
COMMENT ON OPERATOR @~ (text, abstract_query) IS
    'does the text match the query?';

CREATE OPERATOR <=> (
    LEFTARG = tsvector, RIGHTARG = abstract_query,
    FUNCTION = abstract_distance
);
COMMENT ON OPERATOR <=> (tsvector, abstract_query) IS
    'distance to the query, the best match first';

CREATE OPERATOR <=> (
    LEFTARG = text, RIGHTARG = abstract_query,
    FUNCTION = abstract_distance
);
COMMENT ON OPERATOR <=> (text, abstract_query) IS
    'distance to the query, the best match first';

-- Two documents

CREATE FUNCTION abstract_similarity(tsvector, tsvector) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_similarity_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION abstract_similarity(tsvector, tsvector) IS
    'similarity of two documents, from 0 to 1';

CREATE FUNCTION abstract_similarity(text, text) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_similarity_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION abstract_similarity(text, text) IS
    'similarity of two texts, from 0 to 1';

CREATE FUNCTION abstract_dissimilarity(tsvector, tsvector) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_dissimilarity_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION abstract_dissimilarity(tsvector, tsvector) IS
    '1 minus the similarity of two documents';

CREATE FUNCTION abstract_dissimilarity(text, text) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_dissimilarity_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION abstract_dissimilarity(text, text) IS
    '1 minus the similarity of two texts';

CREATE OPERATOR <~> (
    LEFTARG = tsvector, RIGHTARG = tsvector,
    FUNCTION = abstract_dissimilarity, COMMUTATOR = <~>
);
COMMENT ON OPERATOR <~> (tsvector, tsvector) IS
    '1 minus the similarity of two documents';

CREATE OPERATOR <~> (
    LEFTARG = text, RIGHTARG = text,
    FUNCTION = abstract_dissimilarity, COMMUTATOR = <~>
);
COMMENT ON OPERATOR <~> (text, text) IS
    '1 minus the similarity of two texts';

-- (end of section 2)

------------------------------------------------------------------------
-- 3. The access method, its operator classes, and binding
------------------------------------------------------------------------

CREATE FUNCTION @extschema@.abstracts_handler(internal)
RETURNS pg_catalog.index_am_handler
AS 'MODULE_PATHNAME', 'abst_handler'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.abstracts_handler(internal) IS
'handler of the access method abstracts';

CREATE ACCESS METHOD abstracts TYPE INDEX
	HANDLER @extschema@.abstracts_handler;
COMMENT ON ACCESS METHOD abstracts IS
'ranked search in texts: keyword (BM25F) and similarity scores';

CREATE OPERATOR CLASS @extschema@.abstracts_tsvector_ops
	DEFAULT FOR TYPE pg_catalog.tsvector USING abstracts AS
	OPERATOR 1 @extschema@.@~ (pg_catalog.tsvector, @extschema@.abstract_query),
	OPERATOR 2 @extschema@.<=> (pg_catalog.tsvector, @extschema@.abstract_query)
		FOR ORDER BY pg_catalog.float_ops;
COMMENT ON OPERATOR FAMILY @extschema@.abstracts_tsvector_ops USING abstracts IS
'documents that are tsvectors';
COMMENT ON OPERATOR CLASS @extschema@.abstracts_tsvector_ops USING abstracts IS
'documents that are tsvectors';

CREATE OPERATOR CLASS @extschema@.abstracts_text_ops
	DEFAULT FOR TYPE pg_catalog.text USING abstracts AS
	OPERATOR 1 @extschema@.@~ (pg_catalog.text, @extschema@.abstract_query),
	OPERATOR 2 @extschema@.<=> (pg_catalog.text, @extschema@.abstract_query)
		FOR ORDER BY pg_catalog.float_ops;
COMMENT ON OPERATOR FAMILY @extschema@.abstracts_text_ops USING abstracts IS
'documents that are texts, read by a text search configuration';
COMMENT ON OPERATOR CLASS @extschema@.abstracts_text_ops USING abstracts IS
'documents that are texts, read by a text search configuration';

-- Binding: the planner support function wraps the query operand of every
-- function below in abstract_query(query, index).

CREATE FUNCTION @extschema@.abstract_query(query @extschema@.abstract_query,
	index pg_catalog.regclass)
RETURNS @extschema@.abstract_query
AS 'MODULE_PATHNAME', 'abst_bind_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION @extschema@.abstract_query(@extschema@.abstract_query, pg_catalog.regclass) IS
'the query with the weights of an index (or of all partitions of a partitioned one); a bound query as it is';

CREATE FUNCTION @extschema@.abstract_query(query pg_catalog.text,
	index pg_catalog.regclass)
RETURNS @extschema@.abstract_query
AS 'MODULE_PATHNAME', 'abst_bind_text_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.abstract_query(pg_catalog.text, pg_catalog.regclass) IS
'a text read as a query, with the weights of an index';

CREATE FUNCTION @extschema@.abstract_query(query pg_catalog.text,
	weights pg_catalog.text)
RETURNS @extschema@.abstract_query
AS 'MODULE_PATHNAME', 'abst_bind_named_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.abstract_query(pg_catalog.text, pg_catalog.text) IS
'a text read as a query, with the weights of an index that is named or of statistics as JSON';

CREATE FUNCTION @extschema@.abstract_like(document pg_catalog.text,
	index pg_catalog.regclass)
RETURNS @extschema@.abstract_query
AS 'MODULE_PATHNAME', 'abst_like_text_bound_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.abstract_like(pg_catalog.text, pg_catalog.regclass) IS
'a whole text as a query for similar documents, with the weights of an index';

CREATE FUNCTION @extschema@.abstract_like(document pg_catalog.tsvector,
	index pg_catalog.regclass)
RETURNS @extschema@.abstract_query
AS 'MODULE_PATHNAME', 'abst_like_vector_bound_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION @extschema@.abstract_like(pg_catalog.tsvector, pg_catalog.regclass) IS
'a whole document as a query for similar documents, with the weights of an index';

CREATE FUNCTION @extschema@.abstract_keywords(raw pg_catalog.text,
	n pg_catalog.int4, index pg_catalog.regclass,
	OUT keyword pg_catalog.text, OUT score pg_catalog.float8,
	OUT count pg_catalog.int4, OUT start pg_catalog.int4,
	OUT length pg_catalog.int4) RETURNS SETOF record
AS 'MODULE_PATHNAME', 'abst_keywords_index_sql'
LANGUAGE C STABLE STRICT PARALLEL SAFE COST 2000 ROWS 10;
COMMENT ON FUNCTION @extschema@.abstract_keywords(pg_catalog.text, pg_catalog.int4, pg_catalog.regclass) IS
'the n best key phrases of a text, weighed by how rare their words are in an index';

CREATE FUNCTION @extschema@.abstracts_support(internal)
RETURNS internal
AS 'MODULE_PATHNAME', 'abst_support'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.abstracts_support(internal) IS
'planner support: binds the query to the index of the document column';

CREATE FUNCTION @extschema@.abstracts_matchsel(internal, pg_catalog.oid, internal, pg_catalog.int4)
RETURNS pg_catalog.float8
AS 'MODULE_PATHNAME', 'abst_matchsel'
LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.abstracts_matchsel(internal, pg_catalog.oid, internal, pg_catalog.int4) IS
'restriction selectivity of @~, from the document frequencies of the query';

ALTER FUNCTION @extschema@.abstract_query(pg_catalog.text, pg_catalog.text)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_match(pg_catalog.tsvector, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_distance(pg_catalog.tsvector, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_score(pg_catalog.tsvector, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_explain(pg_catalog.tsvector, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_similarity(pg_catalog.tsvector, pg_catalog.tsvector)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_dissimilarity(pg_catalog.tsvector, pg_catalog.tsvector)
	SUPPORT @extschema@.abstracts_support;
ALTER OPERATOR @extschema@.@~ (pg_catalog.tsvector, @extschema@.abstract_query)
	SET (RESTRICT = @extschema@.abstracts_matchsel);
ALTER FUNCTION @extschema@.abstract_match(pg_catalog.text, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_distance(pg_catalog.text, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_score(pg_catalog.text, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_explain(pg_catalog.text, @extschema@.abstract_query)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_similarity(pg_catalog.text, pg_catalog.text)
	SUPPORT @extschema@.abstracts_support;
ALTER FUNCTION @extschema@.abstract_dissimilarity(pg_catalog.text, pg_catalog.text)
	SUPPORT @extschema@.abstracts_support;
ALTER OPERATOR @extschema@.@~ (pg_catalog.text, @extschema@.abstract_query)
	SET (RESTRICT = @extschema@.abstracts_matchsel);

-- (end of section 3)

------------------------------------------------------------------------
-- 4. Upkeep and figures of an index
------------------------------------------------------------------------

CREATE FUNCTION @extschema@.abstracts_flush(index pg_catalog.regclass)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'abst_flush_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION @extschema@.abstracts_flush(pg_catalog.regclass) IS
'move pending rows of an index into a segment; returns how many';

CREATE FUNCTION @extschema@.abstracts_merge(index pg_catalog.regclass)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'abst_merge_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION @extschema@.abstracts_merge(pg_catalog.regclass) IS
'flush an index and merge it into one segment without dead rows; returns the number of merges, 0 when there was nothing to gain';

CREATE FUNCTION @extschema@.abstracts_check(index pg_catalog.regclass,
	heap pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'abst_check_sql'
LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION @extschema@.abstracts_check(pg_catalog.regclass, pg_catalog.bool) IS
'verify the structure of an index and, with heap, that it agrees with its table; returns the rows in the index, dead ones included';

CREATE FUNCTION @extschema@.abstracts_stats(index pg_catalog.regclass,
	OUT documents pg_catalog.int8,
	OUT null_rows pg_catalog.int8,
	OUT dead_rows pg_catalog.int8,
	OUT pending_rows pg_catalog.int8,
	OUT pending_pages pg_catalog.int8,
	OUT segments pg_catalog.int8,
	OUT pages pg_catalog.int8,
	OUT bytes pg_catalog.int8,
	OUT average_length pg_catalog.float8,
	OUT terms pg_catalog.int8,
	OUT postings pg_catalog.int8)
RETURNS record
AS 'MODULE_PATHNAME', 'abst_stats_sql'
LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION @extschema@.abstracts_stats(pg_catalog.regclass) IS
'figures of an index: documents (dead and pending ones count), pages, average length in words; terms and postings are those of segments';

-- (end of section 4)

------------------------------------------------------------------------
-- 5. Records: readers of file formats
------------------------------------------------------------------------

CREATE FUNCTION abstracts_records(
	content text, format text DEFAULT 'auto', mapping text[] DEFAULT '{}')
RETURNS TABLE (
	line bigint, key text, title text, abstract text, authors text[],
	year integer, venue text, doi text, arxiv text, version integer,
	pmid text, url text, keywords text[], language text, section text,
	extra jsonb, reject text, raw text)
AS 'MODULE_PATHNAME', 'abst_records_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION abstracts_records(text, text, text[]) IS
'records in the content of a file: a plain list, JSON Lines or an array, CSV or TSV; rejects have a reason and their raw text';

CREATE FUNCTION abstracts_records(
	content bytea, format text DEFAULT 'auto', mapping text[] DEFAULT '{}')
RETURNS TABLE (
	line bigint, key text, title text, abstract text, authors text[],
	year integer, venue text, doi text, arxiv text, version integer,
	pmid text, url text, keywords text[], language text, section text,
	extra jsonb, reject text, raw text)
AS 'MODULE_PATHNAME', 'abst_records_bytea'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 100;

COMMENT ON FUNCTION abstracts_records(bytea, text, text[]) IS
'records in the content of a file of any encoding';

-- (end of section 5)
