-- segments of all sizes, read back and compared with a model in memory
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{2,1,1,1}');
-- nothing, one row, all NULL or without terms
SELECT test_segment('pages', 1, 0, 0, 15, false);
SELECT test_segment('pages', 2, 1, 5, 15, false);
SELECT test_segment('pages', 3, 100, 0, 15, false);
-- one field, two, four; terms without a block, with one, with many
SELECT test_segment('pages', 4, 500, 300, 8, false);
SELECT test_segment('pages', 5, 5000, 800, 3, false);
SELECT test_segment('pages', 6, 70000, 400, 15, false);
-- a dictionary of three levels, a build
SELECT test_segment('pages', 7, 3000, 40000, 15, true);
SELECT test_dead('pages', 1);
SELECT test_dead('pages', 2);
SELECT test_check('pages');
DROP TABLE pages;

-- weights that are no multiples of anything; zero
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{3.3,0.1,0,0.7}');
SELECT test_segment('pages', 8, 20000, 300, 15, false);
SELECT test_check('pages');
DROP TABLE pages;

-- temporary and unlogged relations
CREATE TEMP TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT test_segment('pages', 9, 3000, 300, 15, false);
SELECT test_dead('pages', 1);
SELECT test_stale('pages');
DROP TABLE pages;
CREATE UNLOGGED TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT test_create_init('pages');
SELECT test_segment('pages', 10, 3000, 300, 15, false);
SELECT test_check('pages');
DROP TABLE pages;

-- readers of a segment that is gone
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT test_segment('pages', 11, 3000, 500, 15, false);
SELECT test_segment('pages', 12, 100, 50, 15, false);
SELECT test_stale('pages');
SELECT test_check('pages');

-- with hardly any memory the check reads the postings several times
SET maintenance_work_mem = '1MB';
SELECT test_segment('pages', 13, 100000, 50, 15, false);
SELECT test_check('pages');
DROP TABLE pages;
