--
-- Random queries against a slow evaluator: a query is made as a tree, written
-- as text, and evaluated once by the extension and once here, word by word.
--
CREATE SCHEMA query_random;
SET search_path = query_random, public;
SELECT setseed(0.25);

-- documents of one field; words that no dictionary changes
CREATE TABLE docs AS
    SELECT d AS id, array_agg(w ORDER BY i) AS words, NULL::tsvector AS doc
      FROM generate_series(1, 60) d, LATERAL (
        SELECT i, (ARRAY['bok','dap','fim','gup','hob','jax','lef','mub'])
                    [1 + floor(random() * 8)] AS w
          FROM generate_series(1, 1 + d % 9) i) s GROUP BY d;
UPDATE docs SET doc = abstract_vector(NULL, array_to_string(words, ' '));
SELECT count(*) FILTER (WHERE (SELECT string_agg(lexeme || positions::text, ' '
                                                 ORDER BY lexeme) FROM unnest(doc)) <>
                              (SELECT string_agg(w || p::text, ' ' ORDER BY w)
                                 FROM (SELECT w, array_agg(i) p FROM unnest(words)
                                         WITH ORDINALITY u(w, i) GROUP BY w) s)) AS changed
  FROM docs;

CREATE FUNCTION word() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT (ARRAY['bok','dap','fim','gup','hob','jax','lef','mub','zed'])
           [1 + floor(random() * 9)]
$$;

-- a tree: {"op": ..., "of": [...]}; the leaves are words and phrases
CREATE FUNCTION make_tree(depth int) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    kind int := floor(random() * CASE WHEN depth > 0 THEN 9 ELSE 4 END);
    parts jsonb := '[]';
BEGIN
    IF kind < 3 THEN
        RETURN jsonb_build_object('op', 'word', 'of', jsonb_build_array(word()));
    ELSIF kind = 3 THEN
        FOR i IN 1 .. 2 + floor(random() * 2) LOOP
            parts := parts || to_jsonb(word());
        END LOOP;
        RETURN jsonb_build_object('op', 'phrase', 'of', parts);
    ELSIF kind = 4 THEN
        RETURN jsonb_build_object('op', 'not', 'of', jsonb_build_array(make_tree(depth - 1)));
    END IF;
    FOR i IN 1 .. 2 + floor(random() * 2) LOOP
        parts := parts || jsonb_build_array(make_tree(depth - 1) || CASE
            WHEN kind < 7 THEN '{}'
            ELSE jsonb_build_object('sign', (ARRAY['','','+','-'])[1 + floor(random() * 4)]) END);
    END LOOP;
    RETURN jsonb_build_object('op', (ARRAY['and','or','seq','seq'])[kind - 4], 'of', parts);
END $$;

CREATE FUNCTION write_tree(t jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    parts text[];
BEGIN
    IF t ->> 'op' IN ('word', 'phrase') THEN
        parts := ARRAY(SELECT jsonb_array_elements_text(t -> 'of'));
        RETURN CASE t ->> 'op' WHEN 'word' THEN parts[1]
               ELSE '"' || array_to_string(parts, ' ') || '"' END;
    END IF;
    parts := ARRAY(SELECT coalesce(e ->> 'sign', '') || write_tree(e)
                     FROM jsonb_array_elements(t -> 'of') WITH ORDINALITY x(e, i) ORDER BY i);
    RETURN CASE t ->> 'op'
        WHEN 'not' THEN 'NOT ' || parts[1]
        ELSE '(' || array_to_string(parts, CASE t ->> 'op' WHEN 'and' THEN ' AND '
                        WHEN 'or' THEN ' OR ' ELSE ' ' END) || ')' END;
END $$;

-- the score, or NULL where the document does not match; tf / (tf + 1.2) each
CREATE FUNCTION evaluate(t jsonb, words text[]) RETURNS float8 LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    parts text[];
    part jsonb;
    one float8;
    total float8 := 0;
    musts int := 0;
    plain int := 0;
    matched int := 0;
    tf int;
    sign text;
    negated boolean;
BEGIN
    IF t ->> 'op' IN ('word', 'phrase') THEN
        parts := ARRAY(SELECT jsonb_array_elements_text(t -> 'of'));
        IF NOT EXISTS (SELECT FROM generate_series(1, cardinality(words)) i
                        WHERE words[i : i + cardinality(parts) - 1] = parts) THEN
            RETURN NULL;
        END IF;
        FOR i IN 1 .. cardinality(parts) LOOP
            tf := cardinality(array_positions(words, parts[i]));
            total := total + tf / (tf + 1.2);
        END LOOP;
        RETURN total;
    END IF;
    IF t ->> 'op' = 'not' THEN
        -- twice NOT is nothing
        part := t -> 'of' -> 0;
        IF part ->> 'op' = 'not' THEN
            RETURN evaluate(part -> 'of' -> 0, words);
        END IF;
        RETURN CASE WHEN evaluate(part, words) IS NULL THEN 0 END;
    END IF;
    FOR part IN SELECT jsonb_array_elements(t -> 'of') LOOP
        sign := part ->> 'sign';
        IF t ->> 'op' = 'seq' THEN
            -- excluded is what stands under an odd number of minus and NOT
            negated := (sign = '-');
            WHILE part ->> 'op' = 'not' LOOP
                negated := NOT negated;
                part := part -> 'of' -> 0;
            END LOOP;
            IF negated THEN
                IF evaluate(part, words) IS NOT NULL THEN RETURN NULL; END IF;
                CONTINUE;
            END IF;
        END IF;
        one := evaluate(part, words);
        IF t ->> 'op' = 'seq' AND sign = '+' OR t ->> 'op' = 'and' THEN
            musts := musts + 1;
            IF one IS NULL THEN RETURN NULL; END IF;
        ELSE
            plain := plain + 1;
            matched := matched + (one IS NOT NULL)::int;
        END IF;
        total := total + coalesce(one, 0);
    END LOOP;
    IF musts = 0 AND plain > 0 AND matched = 0 THEN
        RETURN NULL;
    END IF;
    RETURN total;
END $$;

CREATE TABLE queries AS
    SELECT i, t, write_tree(t) AS text
      FROM (SELECT i, make_tree(1 + i % 3) AS t FROM generate_series(1, 400) i) s;
CREATE TABLE outcomes AS
    SELECT i, id, text, evaluate(t, words) AS expected, doc @~ text AS match,
           abstract_score(doc, text) AS score
      FROM queries, docs;
SELECT count(*) AS pairs, count(*) FILTER (WHERE match) BETWEEN 5000 AND 20000 AS some,
       count(DISTINCT i) FILTER (WHERE match) > 300 AS most_queries,
       count(*) FILTER (WHERE match <> (expected IS NOT NULL)) AS wrong_match,
       count(*) FILTER (WHERE abs(score - coalesce(expected, 0)) > 1e-9) AS wrong_score
  FROM outcomes;
SELECT text, id, expected, match, score FROM outcomes
 WHERE match <> (expected IS NOT NULL) OR abs(score - coalesce(expected, 0)) > 1e-9
 ORDER BY length(text), text, id LIMIT 5;
-- read back from its text, and bound, a query means the same
SELECT count(*) FILTER (WHERE doc @~ b <> match) AS differ,
       count(*) FILTER (WHERE doc @~ b::text::abstract_query <> match OR
           (doc <=> b::text::abstract_query) <> (doc <=> b)) AS differ_read
  FROM outcomes JOIN docs USING (id)
  JOIN (SELECT i, abstract_query(text, '{"n": 60, "terms": {"bok": 30, "dap": 1}}') b
          FROM queries) q USING (i);

SET client_min_messages = warning;
DROP SCHEMA query_random CASCADE;
