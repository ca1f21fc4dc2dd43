/* test/modules/abstracts_test/abstracts_test--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION abstracts_test" to load this file. \quit

CREATE FUNCTION test_codec(seed int, rounds int) RETURNS bigint
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_codec(int, int) IS 'round trips of varints, packing and blocks; returns numbers compared';

CREATE FUNCTION test_codec_noise(seed int, rounds int) RETURNS bigint
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_codec_noise(int, int) IS 'decodes random bytes; returns blocks refused';

CREATE FUNCTION test_bounds(seed int, rounds int) RETURNS bigint
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_bounds(int, int) IS 'rounding of bounds, Pareto sets and their thinning';

CREATE FUNCTION test_create(rel regclass, weights float8[]) RETURNS void
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_create(regclass, float8[]) IS 'metapage and pending page in an empty relation';

CREATE FUNCTION test_create_init(rel regclass) RETURNS int
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_create_init(regclass) IS 'the same in the init fork; returns its pages';

CREATE FUNCTION test_segment(rel regclass, seed int, ndocs int, nterms int,
							 fields int, building bool) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_segment(regclass, int, int, int, int, bool) IS 'writes a segment, publishes it and compares all of it with a model in memory';

CREATE FUNCTION test_dead(rel regclass, seed int) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_dead(regclass, int) IS 'marks documents of all segments dead and compares';

CREATE FUNCTION test_stale(rel regclass) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_stale(regclass) IS 'drops the first segment and frees its pages under an open reader';

CREATE FUNCTION test_check(rel regclass) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_check(regclass) IS 'checks all segments and walks the pending list';

CREATE FUNCTION test_pending(rel regclass, seed int, ndocs int) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_pending(regclass, int, int) IS 'appends documents and compares what a walk reads';

CREATE FUNCTION test_seal(rel regclass, seed int) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_seal(regclass, int) IS 'seals the list, appends behind it, flushes what was sealed';

CREATE FUNCTION test_damage(rel regclass, seed int, rounds int) RETURNS text
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_damage(regclass, int, int) IS 'damages pages in memory, reads everything, repairs them';

CREATE FUNCTION test_bench(rel regclass, rounds int,
						   OUT what text, OUT numbers bigint, OUT ns float8)
RETURNS SETOF record
AS 'MODULE_PATHNAME' LANGUAGE C STRICT;
COMMENT ON FUNCTION test_bench(regclass, int) IS 'nanoseconds per posting or term of decoding, cursors and look-ups';
