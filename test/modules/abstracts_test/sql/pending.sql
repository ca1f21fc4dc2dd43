-- the pending list: append, walk, probe, seal
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT substring(test_pending('pages', 1, 1) from '\d+ documents') AS pending;
SELECT substring(test_pending('pages', 2, 30) from '\d+ documents') AS pending;
SELECT substring(test_pending('pages', 3, 1000) from '\d+ documents') AS pending;
SELECT test_seal('pages', 1);
SELECT substring(test_pending('pages', 4, 100) from '\d+ documents') AS pending;
SELECT test_seal('pages', 2);
SELECT test_check('pages');
DROP TABLE pages;

CREATE TEMP TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT substring(test_pending('pages', 5, 300) from '\d+ documents') AS pending;
SELECT test_seal('pages', 3);
DROP TABLE pages;
