--
-- Sections of structured abstracts: labels in several languages and
-- typographies, glued ones, and what is no label.
--
SET client_encoding = utf8;
-- "label(kind)=text" for every section
CREATE FUNCTION pg_temp.parts(raw text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(coalesce(label || '(' || coalesce(kind, '?') || ')=', '') || section, ' | ' ORDER BY number)
	FROM abstract_sections(raw)
$$;
CREATE TEMP TABLE section_case (raw text, want text);
INSERT INTO section_case VALUES
('We study birds. They fly.', 'We study birds. They fly.'),
('BACKGROUND: Birds sing. METHODS: We listened. RESULTS: They sang. CONCLUSIONS: Birds sing.',
 'BACKGROUND(background)=Birds sing. | METHODS(methods)=We listened. | RESULTS(results)=They sang. | CONCLUSIONS(conclusions)=Birds sing.'),
('Background: Birds sing.Methods: We listened.Results: none',
 'Background(background)=Birds sing. | Methods(methods)=We listened. | Results(results)=none'),
('Birds were tested.METHODS: By ear.', 'Birds were tested. | METHODS(methods)=By ear.'),
('<jats:title>Aims</jats:title><jats:p>We test H<jats:sub>2</jats:sub>O.</jats:p><jats:title>Results</jats:title><jats:p>Wet.</jats:p>',
 'Aims(objective)=We test H₂O. | Results(results)=Wet.'),
('**Goal.** We count birds. **Method.** By eye.', 'Goal(objective)=We count birds. | Method(methods)=By eye.'),
('OBJECTIVE To count birds. DESIGN Cohort. MAIN OUTCOME MEASURES Number of birds. RESULTS Many.',
 'OBJECTIVE(objective)=To count birds. | DESIGN(methods)=Cohort. | MAIN OUTCOME MEASURES(outcomes)=Number of birds. | RESULTS(results)=Many.'),
('Background Birds sing. Methods We listened. Conclusions They do.',
 'Background(background)=Birds sing. | Methods(methods)=We listened. | Conclusions(conclusions)=They do.'),
('Aims B. Methods: C.', 'Aims(objective)=B. | Methods(methods)=C.'),
('OBJECTIVE: Why. CASE REPORT: A man. TEAM AND TOOLS: Two.',
 'OBJECTIVE(objective)=Why. | CASE REPORT(case)=A man. | TEAM AND TOOLS(?)=Two.'),
('Methods/Results: We did. Conclusion and Outlook: More.',
 'Methods/Results(methods)=We did. | Conclusion and Outlook(conclusions)=More.'),
('Purpose — To see. Findings — Seen.', 'Purpose(objective)=To see. | Findings(results)=Seen.'),
('[Background] Birds sing. [Results] They do.', 'Background(background)=Birds sing. | Results(results)=They do.'),
('Contexte : nous étudions les oiseaux. Méthodes : à l''oreille. Résultats : oui.',
 'Contexte(background)=nous étudions les oiseaux. | Méthodes(methods)=à l''oreille. | Résultats(results)=oui.'),
('Hintergrund: Vögel singen. Methodik: Gehör. Ergebnisse: Ja. Schlussfolgerung: Gut.',
 'Hintergrund(background)=Vögel singen. | Methodik(methods)=Gehör. | Ergebnisse(results)=Ja. | Schlussfolgerung(conclusions)=Gut.'),
('Introducción: aves. Métodos: oído. Conclusión: sí.', 'Introducción(background)=aves. | Métodos(methods)=oído. | Conclusión(conclusions)=sí.'),
('Введение: птицы. Методы: слух. Результаты: да. Заключение: хорошо.',
 'Введение(background)=птицы. | Методы(methods)=слух. | Результаты(results)=да. | Заключение(conclusions)=хорошо.'),
('目的：研究鸟类。方法：听。结果：鸟在唱歌。结论：好。', '目的(objective)=研究鸟类。 | 方法(methods)=听。 | 结果(results)=鸟在唱歌。 | 结论(conclusions)=好。'),
('【目的】鳥を調べた。【方法】聞いた。', '目的(objective)=鳥を調べた。 | 方法(methods)=聞いた。'),
-- no labels
('We pursue three aims: to see, to hear, to feel. Two results: none.', 'We pursue three aims: to see, to hear, to feel. Two results: none.'),
('Our method works. Results show it. Methods differ.', 'Our method works. Results show it. Methods differ.'),
('BIRDNET: a net for birds. We train it.', 'BIRDNET: a net for birds. We train it.'),
('Discussion of birds is old. Conclusion follows.', 'Discussion of birds is old. Conclusion follows.');
SELECT raw, pg_temp.parts(raw) AS got, want FROM section_case
WHERE pg_temp.parts(raw) IS DISTINCT FROM want ORDER BY raw;
SELECT count(*) > 20 AS all_read FROM section_case;

-- places are characters of the raw text, from 1
SELECT s.*, substr(raw, start, length) AS there
FROM (VALUES (E'\\textbf{Aims:} Über \\emph{birds}.  METHODS:\n\n**We** listen.')) v(raw),
	abstract_sections(raw) s;
SELECT * FROM abstract_sections(NULL);
SELECT * FROM abstract_sections('');
SELECT * FROM abstract_sections('Results:');
