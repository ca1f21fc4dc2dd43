-- tour.sql: what ./demo shows once the list is loaded into "papers"
\pset footer off
\pset linestyle unicode
\pset border 1

\echo
\echo '== Keyword ranking: words, a phrase, a word that must not occur'
\echo
SELECT id, round((-(doc <=> '"reinforcement learning" safety -medical'))::numeric, 3) AS score,
       left(abstract_plain(abstract), 58) || '…' AS abstract
  FROM papers
 WHERE doc @~ '"reinforcement learning" safety -medical'
 ORDER BY doc <=> '"reinforcement learning" safety -medical', id
 LIMIT 5;

\echo
\echo '== More like this: the papers nearest to the one about LatentMoE'
\echo
SELECT id, round((1 - (doc <~> (SELECT doc FROM papers WHERE abstract LIKE '%**LatentMoE**%')))::numeric, 3) AS similarity,
       left(abstract_plain(abstract), 58) || '…' AS abstract
  FROM papers
 ORDER BY doc <~> (SELECT doc FROM papers WHERE abstract LIKE '%**LatentMoE**%'), id
 LIMIT 4;

\echo
\echo '== Both by the index.  To read 19 rows whole is cheaper, so the planner is'
\echo '== told not to; with thousands of rows it takes the index by itself.'
\echo
SET enable_seqscan = off;
SET enable_sort = off;
\echo 'EXPLAIN of the keyword ranking'
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
SELECT id, abstract
  FROM papers
 WHERE doc @~ '"reinforcement learning" safety -medical'
 ORDER BY doc <=> '"reinforcement learning" safety -medical'
 LIMIT 5;

\echo
\echo 'EXPLAIN of more like this'
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
SELECT id, abstract
  FROM papers
 ORDER BY doc <~> (SELECT doc FROM papers WHERE abstract LIKE '%**LatentMoE**%')
 LIMIT 4;
