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
