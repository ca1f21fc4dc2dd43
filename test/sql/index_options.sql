-- Options of an index: values, errors, and what is frozen when it is built.
SET client_min_messages = warning;
CREATE SCHEMA index_options;
SET search_path = index_options, public;
CREATE TABLE texts (t text, doc tsvector);
INSERT INTO texts VALUES ('Graph networks', to_tsvector('simple', 'Graph networks'));
CREATE TEXT SEARCH CONFIGURATION own (COPY = pg_catalog.simple);

-- Values that are wrong.
CREATE INDEX ON texts USING abstracts (doc) WITH (k1 = -1);
CREATE INDEX ON texts USING abstracts (doc) WITH (k1 = 100.5);
CREATE INDEX ON texts USING abstracts (doc) WITH (k1 = 'NaN');
CREATE INDEX ON texts USING abstracts (doc) WITH (b = 1.01);
CREATE INDEX ON texts USING abstracts (doc) WITH (b = 'half');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,1');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,1,1,1');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,,1');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,1,-1');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,1,101');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '1,1,1,nan');
CREATE INDEX ON texts USING abstracts (doc) WITH (weights = '0,0,0,0');
CREATE INDEX ON texts USING abstracts (doc) WITH (config = 'no_such');
CREATE INDEX ON texts USING abstracts (doc) WITH (config = 'no.such');
CREATE INDEX ON texts USING abstracts (doc) WITH (config = 'much.too.long');
CREATE INDEX ON texts USING abstracts (doc) WITH (config = '');
CREATE INDEX ON texts USING abstracts (doc) WITH (fillfactor = 50);

-- The search path does not decide which configuration a name means.
CREATE INDEX ON texts USING abstracts (t) WITH (config = 'own');

-- Values that are right.
CREATE INDEX right_idx ON texts USING abstracts (doc)
	WITH (k1 = 0, b = 0, weights = ' 2.5, 1,0.5 ,0', config = 'index_options.own');
SELECT reloptions FROM pg_class WHERE oid = 'right_idx'::regclass;
SELECT abstracts_check('right_idx', true);

-- k1 and b may change at any time.
ALTER INDEX right_idx SET (k1 = 2, b = 1);
ALTER INDEX right_idx RESET (k1);
ALTER INDEX right_idx SET (k1 = 1000);
INSERT INTO texts VALUES ('one more', to_tsvector('simple', 'one more'));
SELECT abstracts_check('right_idx', true);

-- Weights are frozen, until REINDEX.
ALTER INDEX right_idx SET (weights = '1,1,1,1');
INSERT INTO texts VALUES ('and more', to_tsvector('simple', 'and more'));
ALTER INDEX right_idx SET (weights = '2.5,1,0.5,0');
INSERT INTO texts VALUES ('and more', to_tsvector('simple', 'and more'));
ALTER INDEX right_idx RESET (weights);
REINDEX INDEX right_idx;
INSERT INTO texts VALUES ('still more', to_tsvector('simple', 'still more'));
SELECT abstracts_check('right_idx', true);

-- The configuration is frozen for a text column only.
ALTER INDEX right_idx SET (config = 'simple');
INSERT INTO texts VALUES ('a tsvector', to_tsvector('simple', 'a tsvector'));
CREATE INDEX text_idx ON texts USING abstracts (t) WITH (config = 'index_options.own');
ALTER INDEX text_idx SET (config = 'english');
INSERT INTO texts VALUES ('a text', NULL);
REINDEX INDEX text_idx;
INSERT INTO texts VALUES ('a text', NULL);
SELECT abstracts_check('text_idx', true);

-- An index over a text column needs its configuration.
CREATE TEXT SEARCH CONFIGURATION other (COPY = pg_catalog.simple);
CREATE INDEX other_idx ON texts USING abstracts (t) WITH (config = 'index_options.other');
REINDEX INDEX other_idx;
DROP TEXT SEARCH CONFIGURATION other;
SELECT count(*) FROM pg_depend
 WHERE objid = 'other_idx'::regclass AND refclassid = 'pg_ts_config'::regclass;
DROP INDEX other_idx;
DROP TEXT SEARCH CONFIGURATION other;

-- The operator classes are valid.
SELECT opcname, amvalidate(c.oid) FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
 WHERE amname = 'abstracts' ORDER BY opcname;
-- An operator class that is not.
CREATE OPERATOR CLASS bad_ops FOR TYPE text USING abstracts AS
	OPERATOR 1 @~ (tsvector, abstract_query);
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'bad_ops';

-- What the access method says of itself.
SELECT p, pg_indexam_has_property(a.oid, p) FROM pg_am a,
	unnest(ARRAY['can_order', 'can_unique', 'can_multi_col', 'can_exclude', 'can_include']) p
 WHERE amname = 'abstracts' ORDER BY p;
SELECT p, pg_index_has_property('right_idx'::regclass, p) FROM
	unnest(ARRAY['clusterable', 'index_scan', 'bitmap_scan', 'backward_scan']) p ORDER BY p;
SELECT p, pg_index_column_has_property('right_idx'::regclass, 1, p) FROM
	unnest(ARRAY['orderable', 'distance_orderable', 'returnable', 'search_array', 'search_nulls']) p ORDER BY p;

DROP SCHEMA index_options CASCADE;
