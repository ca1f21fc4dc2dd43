/* sql/abstracts--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION abstracts" to load this file. \quit

------------------------------------------------------------------------
-- 1. Reading: display text, tokens, the parser, dictionaries, the
--    configuration "abstracts", document vectors
------------------------------------------------------------------------

CREATE FUNCTION abstracts_parser_start(internal, int4) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_token(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_end(internal) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_parser_types(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION abstracts_dictionary_init(internal)
	IS 'initialize a dictionary that takes no parameters';

CREATE FUNCTION abstracts_fold_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE TEXT SEARCH TEMPLATE abstracts_number (
	INIT = abstracts_dictionary_init, LEXIZE = abstracts_number_lexize);
CREATE TEXT SEARCH DICTIONARY abstracts_number (TEMPLATE = abstracts_number);
COMMENT ON FUNCTION abstracts_number_lexize(internal, internal, internal, internal)
	IS 'lexemes of a token by the template abstracts_number';
COMMENT ON TEXT SEARCH TEMPLATE abstracts_number
	IS 'numbers in one form: 1,024 is 1024';
COMMENT ON TEXT SEARCH DICTIONARY abstracts_number
	IS 'numbers in one form: 1,024 is 1024';

CREATE FUNCTION abstracts_link_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION abstracts_compound_lexize(internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE;
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

CREATE FUNCTION abstract_plain(raw text) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 100;
COMMENT ON FUNCTION abstract_plain(text)
	IS 'display text: markup gone, characters composed, one space between words';

CREATE FUNCTION abstract_tokens(raw text,
	OUT kind text, OUT token text, OUT start int, OUT length int,
	OUT lexemes text[], OUT "position" int) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 200;
COMMENT ON FUNCTION abstract_tokens(text)
	IS 'tokens of a text with their place in it (in characters, from 1) and their lexemes';
CREATE FUNCTION abstract_tokens(raw text, config regconfig,
	OUT kind text, OUT token text, OUT start int, OUT length int,
	OUT lexemes text[], OUT "position" int) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT IMMUTABLE PARALLEL SAFE COST 1000 ROWS 200;
COMMENT ON FUNCTION abstract_tokens(text, regconfig)
	IS 'tokens of a text with their place in it (in characters, from 1) and their lexemes';

CREATE FUNCTION abstract_vector(title text, abstract text) RETURNS tsvector
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_vector(text, text)
	IS 'title (A) and abstract (B) read by the configuration "abstracts"';
CREATE FUNCTION abstract_vector(title text, abstract text, config regconfig) RETURNS tsvector
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_vector(text, text, regconfig)
	IS 'title (A) and abstract (B) read by a text search configuration';

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
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION abstract_match(tsvector, abstract_query) IS
    'does the document match the query?';

CREATE FUNCTION abstract_match(document text, query abstract_query)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'abst_sql_match_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_match(text, abstract_query) IS
    'does the text match the query?';

CREATE FUNCTION abstract_distance(document tsvector, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_distance_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION abstract_distance(tsvector, abstract_query) IS
    'minus the score; for abstract_like, 1 minus the similarity';

CREATE FUNCTION abstract_distance(document text, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_distance_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION abstract_distance(text, abstract_query) IS
    'minus the score; for abstract_like, 1 minus the similarity';

CREATE FUNCTION abstract_score(document tsvector, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_score_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION abstract_score(tsvector, abstract_query) IS
    'BM25F score of the document; for abstract_like, its similarity';

CREATE FUNCTION abstract_score(document text, query abstract_query)
    RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_score_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
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
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION abstract_similarity(tsvector, tsvector) IS
    'similarity of two documents, from 0 to 1';

CREATE FUNCTION abstract_similarity(text, text) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_similarity_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION abstract_similarity(text, text) IS
    'similarity of two texts, from 0 to 1';

CREATE FUNCTION abstract_dissimilarity(tsvector, tsvector) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_dissimilarity_vector'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION abstract_dissimilarity(tsvector, tsvector) IS
    '1 minus the similarity of two documents';

CREATE FUNCTION abstract_dissimilarity(text, text) RETURNS float8
    AS 'MODULE_PATHNAME', 'abst_sql_dissimilarity_text'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
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

-- (end of section 3)

------------------------------------------------------------------------
-- 4. Upkeep and figures of an index
------------------------------------------------------------------------

-- (end of section 4)

------------------------------------------------------------------------
-- 5. Records: readers of file formats
------------------------------------------------------------------------

-- (end of section 5)
