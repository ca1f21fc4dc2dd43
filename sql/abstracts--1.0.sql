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

CREATE FUNCTION @extschema@.abstracts_handler(internal)
RETURNS pg_catalog.index_am_handler
AS 'MODULE_PATHNAME', 'abst_handler'
LANGUAGE C;
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

-- (end of section 5)
