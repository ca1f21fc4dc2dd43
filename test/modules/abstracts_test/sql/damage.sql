-- damaged pages give errors of corruption and nothing else
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_create('pages', '{1,1,1,1}');
SELECT test_segment('pages', 1, 1500, 300, 15, false);
SELECT test_segment('pages', 2, 100, 6000, 3, false);
SELECT test_pending('pages', 1, 50);
SELECT test_damage('pages', 1, 2000);
SELECT test_check('pages');
DROP TABLE pages;

-- a relation without any page, and one with pages of something else
CREATE TABLE pages (x int) WITH (autovacuum_enabled = off);
SELECT test_check('pages');
INSERT INTO pages VALUES (1);
SELECT test_check('pages');
DROP TABLE pages;
