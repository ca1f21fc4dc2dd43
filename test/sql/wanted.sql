-- Rows come in batches whose sizes are guessed from the LIMIT, or from what
-- scans before took.  Whatever is guessed, the rows are those of a sort.
SET client_min_messages = warning;
CREATE TABLE w (id int, even bool, doc tsvector);
INSERT INTO w
  SELECT i, i % 2 = 0,
         to_tsvector('simple', repeat('common ', 1 + i % 7) ||
                               repeat('other ', i % 3) || 'n' || i)
    FROM generate_series(1, 4000) i;
CREATE INDEX w_doc ON w USING abstracts (doc) WITH (config = 'simple');
CREATE INDEX w_id ON w (id);
VACUUM ANALYZE w;
SET enable_bitmapscan = off;

-- the order that a sort gives: distances, then the place in the table
CREATE TABLE sorted AS
  SELECT row_number() OVER (ORDER BY d, ctid) AS n, id, d
    FROM (SELECT id, ctid, doc <=> abstract_query('common other', 'w_doc') AS d
            FROM w) s;

-- Rows of the first "k", index scan against sort; true if they are the same.
CREATE FUNCTION first_rows(k bigint, prepared bool) RETURNS bool
LANGUAGE plpgsql AS $$
DECLARE
    found int[];
    query text := 'SELECT array_agg(id) FROM (SELECT id FROM w ORDER BY doc <=> ''common other'' LIMIT ';
BEGIN
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_sort = off;
    IF prepared THEN
        EXECUTE query || '$1) s' INTO found USING k;
    ELSE
        EXECUTE query || k || ') s' INTO found;
    END IF;
    RETURN found = (SELECT array_agg(id ORDER BY n) FROM sorted WHERE n <= k);
END $$;

-- larger and smaller in turn, so that guesses are too large and too small
SELECT k, first_rows(k, false) AS literal, first_rows(k, true) AS prepared
  FROM unnest(ARRAY[1, 3000, 2, 40, 4000, 33, 600, 5, 256, 257, 10, 2500]) k;

-- a generic plan knows no LIMIT
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_sort = off;
PREPARE p(bigint) AS
  SELECT id FROM w ORDER BY doc <=> 'common other' LIMIT $1;
EXPLAIN (COSTS OFF) EXECUTE p(3);
CREATE FUNCTION generic(k bigint) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
    ids int[];
    one int;
    result refcursor;
BEGIN
    OPEN result FOR SELECT id FROM w ORDER BY doc <=> 'common other' LIMIT k;
    LOOP
        FETCH result INTO one;
        EXIT WHEN NOT FOUND;
        ids := ids || one;
    END LOOP;
    CLOSE result;
    RETURN ids = (SELECT array_agg(id ORDER BY n) FROM sorted WHERE n <= k);
END $$;
SELECT k, generic(k) FROM unnest(ARRAY[7, 7, 900, 3, 3, 3, 45, 4000, 12]) k;
RESET plan_cache_mode;

-- a filter drops rows: every second one; all but a few
SELECT array_agg(id ORDER BY n) =
       (SELECT array_agg(id)
          FROM (SELECT id FROM w WHERE even ORDER BY doc <=> 'common other'
                 LIMIT 50) s) AS half
  FROM (SELECT n, sorted.id FROM sorted WHERE id % 2 = 0 ORDER BY n LIMIT 50) s;
SELECT array_agg(id ORDER BY n) =
       (SELECT array_agg(id)
          FROM (SELECT id FROM w WHERE abs(id) % 500 = 3
                 ORDER BY doc <=> 'common other' LIMIT 5) s) AS few
  FROM (SELECT n, sorted.id FROM sorted WHERE id % 500 = 3 ORDER BY n LIMIT 5) s;

-- rows that are gone, but not yet from the index
BEGIN;
DELETE FROM w WHERE id IN (SELECT id FROM sorted WHERE n <= 100);
SELECT array_agg(id ORDER BY n) =
       (SELECT array_agg(id)
          FROM (SELECT id FROM w ORDER BY doc <=> 'common other' LIMIT 20) s)
       AS deleted
  FROM sorted WHERE n > 100 AND n <= 120;
ROLLBACK;

-- two scans of one index in turn, and many in a join
SELECT count(*), sum(a.id - b.id)
  FROM (SELECT id, row_number() OVER () AS n
          FROM (SELECT id FROM w ORDER BY doc <=> 'common other' LIMIT 300) s) a
  JOIN (SELECT id, row_number() OVER () AS n
          FROM (SELECT id FROM w ORDER BY doc <=> 'common other' LIMIT 500) s) b
 USING (n);
SELECT count(*), count(DISTINCT near.id)
  FROM generate_series(1, 50) i,
       LATERAL (SELECT id FROM w ORDER BY doc <=> ('n' || i)::abstract_query
                 LIMIT 1 + i % 3) near;

-- Words are remembered once they were looked up; others come in their places.
SELECT count(*) AS wrong
  FROM generate_series(1, 4000, 3) i, generate_series(1, 2) again
 WHERE (SELECT id FROM w WHERE doc @~ ('n' || i)::abstract_query) <> i
    OR EXISTS (SELECT 1 FROM w WHERE doc @~ ('m' || i)::abstract_query);
INSERT INTO w VALUES
  (0, false, array_to_tsvector(ARRAY[repeat('l', 31), repeat('l', 32), repeat('l', 255)]));
SELECT abstracts_flush('w_doc');
SELECT len, (SELECT id FROM w WHERE doc @~ repeat('l', len)::abstract_query)
  FROM unnest(ARRAY[30, 31, 32, 33, 255]) len, generate_series(1, 2);
DROP TABLE w, sorted;
DROP FUNCTION first_rows, generic;
