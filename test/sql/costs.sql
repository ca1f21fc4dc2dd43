-- Which plan is taken, where that is clear: by how frequent the words are, by
-- the limit, and by another condition with an index of its own.
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE c (id int, f int, doc tsvector);
-- "all" is in every row, "tenth" in every tenth, "rare" in five
INSERT INTO c
  SELECT i, i % 1000,
         to_tsvector('simple', 'all' ||
                     CASE WHEN i % 10 = 0 THEN ' tenth' ELSE '' END ||
                     CASE WHEN i % 2000 = 0 THEN ' rare' ELSE '' END ||
                     (SELECT string_agg(' w' || (i * 7919 + k * 104729) % 5003, '')
                        FROM generate_series(1, 60) k))
    FROM generate_series(1, 10000) i;
CREATE INDEX c_doc ON c USING abstracts (doc) WITH (config = 'simple');
CREATE INDEX c_f ON c (f);
VACUUM ANALYZE c;

-- Nodes of the plan that read the table, and rows expected of the scan.
CREATE FUNCTION reads(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
        IF line ~ '(Scan|Sort)' AND line !~ 'Sort Key' THEN
            RETURN NEXT regexp_replace(regexp_replace(line, '^ *(-> *)?', ''), ' +\(cost.*', '');
        END IF;
    END LOOP;
END $$;

-- the best few, of any word: in the order of the index
SELECT reads('SELECT id FROM c ORDER BY doc <=> ''all'' LIMIT 10');
SELECT reads('SELECT id FROM c ORDER BY doc <=> ''tenth rare'' LIMIT 100');
SELECT reads('SELECT id FROM c WHERE doc @~ ''all'' ORDER BY doc <=> ''all'' LIMIT 10');
SELECT reads('SELECT id FROM c WHERE doc @~ ''tenth'' AND f < 500 ORDER BY doc <=> ''tenth'' LIMIT 10');
SELECT reads('SELECT id FROM c ORDER BY doc <~> (SELECT doc FROM c WHERE id = 7 LIMIT 1) LIMIT 10');

-- a handful of rows by another index: these are ranked one by one
SELECT reads('SELECT id FROM c WHERE f = 7 ORDER BY doc <=> ''all'' LIMIT 10');
SELECT reads('SELECT id FROM c WHERE f = 7 AND doc @~ ''all'' ORDER BY doc <=> ''all'' LIMIT 10');
SELECT reads('SELECT id FROM c WHERE id < 0 AND f = 7 ORDER BY doc <=> ''all''');

-- a few matches: from the index; a count: by a bitmap
SELECT reads('SELECT count(*) FROM c WHERE doc @~ ''tenth''');
SELECT reads('SELECT id FROM c WHERE f = 7 AND doc @~ ''rare''');

-- all rows, and no match asked for: nothing beats reading the table
SELECT reads('SELECT count(*) FROM c WHERE NOT doc @~ ''rare''');
SELECT reads('SELECT max(doc <=> ''all'') FROM c');

-- Rows expected, within a tenth: one word, words, AND, NOT.
CREATE FUNCTION expected(query text) RETURNS float LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    found float;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) SELECT FROM c WHERE doc @~ ' || quote_literal(query) INTO plan;
    EXECUTE 'SELECT count(*) FROM c WHERE doc @~ ' || quote_literal(query) INTO found;
    RETURN round(((plan -> 0 -> 'Plan' ->> 'Plan Rows')::float / greatest(found, 1))::numeric, 1);
END $$;
SELECT q AS query, expected(q) AS "expected / found"
  FROM unnest(ARRAY['all', 'tenth', 'rare', 'nosuchword', 'tenth rare',
                    'all AND tenth', 'all -tenth', '-tenth', '+tenth all',
                    'tenth OR (all AND NOT tenth)']) q;
DROP TABLE c;
DROP FUNCTION reads, expected;
