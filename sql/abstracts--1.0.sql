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

-- (end of section 5)
