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
