/* sql/abstracts--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION abstracts" to load this file. \quit

------------------------------------------------------------------------
-- 1. Reading: display text, tokens, the parser, dictionaries, the
--    configuration "abstracts", document vectors
------------------------------------------------------------------------

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
