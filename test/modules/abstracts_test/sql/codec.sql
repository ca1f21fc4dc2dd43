-- round trips: all widths, all counts, blocks with and without exceptions
SELECT test_codec(1, 3) > 100000 AS ok;
-- random bytes never give anything out of the limits
SELECT test_codec_noise(1, 200000) BETWEEN 1000 AND 199999 AS ok;
-- rounding, and sets of bounds
SELECT test_bounds(1, 20000);
