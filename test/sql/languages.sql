--
-- Configurations for other languages by one call.
--
SET client_encoding = utf8;
SELECT abstracts_create_config('german'), abstracts_create_config('French');
SELECT to_tsvector('abstracts_german', 'Die vor- und nachteiligen Häuser der Größe, E-Mail-Adresse von GPT-4o und 5 mg');
SELECT to_tsvector('abstracts_french', 'L''objectif d''une étude a été');
\set VERBOSITY terse
SELECT abstracts_create_config('german');
SELECT abstracts_create_config('klingon');
SELECT abstracts_create_config(NULL);
\set VERBOSITY default
-- one for every stemmer of the server, and for "simple"
SELECT count(abstracts_create_config(replace(dictname, '_stem', ''))) =
	count(*) AS all_made
FROM pg_ts_dict WHERE (dictname LIKE '%\_stem' AND dictname NOT IN ('german_stem', 'french_stem')) OR
	(dictname = 'simple' AND dictnamespace = 'pg_catalog'::regnamespace);
-- every token type has a dictionary in each, and each says what it is
SELECT count(*) FROM pg_ts_config c WHERE cfgname LIKE 'abstracts\_%' AND
	((SELECT count(DISTINCT maptokentype) FROM pg_ts_config_map m WHERE m.mapcfg = c.oid) <> 15 OR
	 obj_description(c.oid, 'pg_ts_config') IS NULL);
-- headlines show words that hang once
SELECT ts_headline('abstracts', 'we use pre- and post-training at 5 mg', to_tsquery('abstracts', 'post & mg'), 'HighlightAll=true');
-- ts_debug as usual
SELECT alias, token, dictionary, lexemes FROM ts_debug('abstracts', '5 mg of pre- and post-test') WHERE alias <> 'blank';
DO $do$
DECLARE
	object text;
BEGIN
	FOR object IN SELECT format('CONFIGURATION %I', cfgname) FROM pg_ts_config WHERE cfgname LIKE 'abstracts\_%' LOOP
		EXECUTE 'DROP TEXT SEARCH ' || object;
	END LOOP;
END
$do$;
