--
-- Display text: each fault of markup and characters that abstracts are known
-- for, with its right reading.  Only what is wrong is shown.
--
SET client_encoding = utf8;
CREATE TEMP TABLE plain_case (kind text, raw text, want text);
INSERT INTO plain_case VALUES
-- formulas
('math', $x$runs in $\tilde{O}(1)$ time with $k$-NN$x$, 'runs in Õ(1) time with k-NN'),
('math', $x$a gap of $\textbf{12.5}$% over $\sigma^2\to\kappa(\sigma^2)$ here$x$, 'a gap of 12.5% over σ² → κ(σ²) here'),
('math', $x$rate $\mathcal{O}(1/\sqrt{T})$ and $O(n \log n)$$x$ || ' ', 'rate O(1/√T) and O(n log n)'),
('math', $x$norms $\|x\|_2 \leq \epsilon$, $x_{max}$, $x_{i,j}$$x$ || ' ', 'norms ‖x‖₂ ≤ ε, xₘₐₓ, x_(i,j)'),
('math', $x$half is $\frac{1}{2}$ or $\frac{a+b}{n}$$x$ || ' ', 'half is 1/2 or (a+b)/n'),
('math', $x$in $\mathbb{R}^d$, $\mathbb{E}[X]$, $\mathrm{KL}(p \| q)$$x$ || ' ', 'in ℝᵈ, 𝔼[X], KL(p ‖ q)'),
('math', $x$with \(x+y\) and \[z^2\] and $$w_1$$ done$x$, 'with x+y and z² and w₁ done'),
('math', $x$heat \begin{equation} E = mc^2 \end{equation} is$x$, 'heat E = mc² is'),
('math', $x$at $37^\circ$C and 10$^{-5}$ and CO$_2$ and 10^{-5} mol$x$, 'at 37°C and 10⁻⁵ and CO₂ and 10⁻⁵ mol'),
('math', $x$$\binom{n}{k}$ of $\left( a, b \right)$, $a \not= b$$x$ || ' ', '(n choose k) of ( a, b ), a ≠ b'),
('math', $x$if $x > 0 \text{ for all } x$ then$x$, 'if x > 0 for all x then'),
('math', $x$the $\ell_1$-norm, $\beta$-VAE, $p<.05$, $n{=}30$$x$ || ' ', 'the ℓ₁-norm, β-VAE, p<.05, n=30'),
('math', $x$open $x_{a and $\frac{1$ end$x$, 'open $x_{a and {1 end'),
('money', $x$costs $5 and $7 a day$x$, 'costs $5 and $7 a day'),
('money', $x$from US$20 to US$30, or $1,000 in all; a $ alone$x$, 'from US$20 to US$30, or $1,000 in all; a $ alone'),
('money', $x$paid \$5 to \$10$x$, 'paid $5 to $10'),
('money', $x$we paid $20 to each of them (about 18$ net)$x$, 'we paid $20 to each of them (about 18$ net)'),
-- commands
('style', $x$a \emph{robust} and \textbf{fast} code, \emph{a}b$x$, 'a robust and fast code, ab'),
('style', $x${\bf bold} {\it slanted} \textsc{Caps} \texttt{code\_x}$x$, 'bold slanted Caps code_x'),
('style', $x$\section*{Aims} and \underline{low} \textcolor{red}{hot}$x$, 'Aims and low hot'),
('cite', $x$as shown \cite{lee9} (\S\ref{s1}), too$x$, 'as shown, too'),
('cite', $x$known \citep[see][p.~3]{a,b}. Next (see \cite{x}). End$x$, 'known. Next. End'),
('cite', $x$in \citet{a} and [\cite{b}, \cite{c}] we$x$, 'in and we'),
('cite', $x$(see \cite{x} for proofs)$x$, '(see for proofs)'),
('macro', $x$our tool \sysname{} wins, \foo[x]{bar}$x$, 'our tool wins, bar'),
('macro', $x$we emphasize the textbf file$x$, 'we emphasize the textbf file'),
('macro', $x${\ifmmode \check{C}\else \v{C}\fi{}ern\'y}, \ifmmode\mu\else\textmu\fi m$x$, 'Černý, μm'),
('href', $x$\href{http://x.example}{demo} at \url{http://x.example/a\_b}$x$, 'demo at http://x.example/a_b'),
('verb', $x$call \verb|a_b{c}| now$x$, 'call a_b{c} now'),
('list', $x$\begin{itemize}\item one \item two\end{itemize} three$x$, E'one\ntwo three'),
('ties', $x$Fig.~3, Ma~et al., a -- b, 12--15, wide--open --- yes$x$, 'Fig. 3, Ma et al., a – b, 12–15, wide–open — yes'),
('ties', $x$about ~5 and (~6), y --flag, http://h.example/~me$x$, 'about ~5 and (~6), y --flag, http://h.example/~me'),
('accents', $x$G\"odel, G{\"o}del, Erd{\H o}s, na\"{\i}ve, Stra\ss e$x$, 'Gödel, Gödel, Erdős, naïve, Straße'),
('accents', $x$\'{\i} \c{c} \v{S} Fran\c cois \O re \L\'od\'z \aa{} \^ile \~n \.Z \=a$x$, 'í ç Š François Øre Łódź å île ñ Ż ā'),
('accents', $x$the 'b' class, to a 'gap' between, `gap', ``two words''$x$, 'the ''b'' class, to a ''gap'' between, ‘gap’, “two words”'),
('accents', $x$5\%, A\_B, R\&D, \#1, \{x\}, model\'s, don\'t$x$, '5%, A_B, R&D, #1, {x}, model''s, don''t'),
('accents', $x$they said \"important news\" and \"uber\"$x$, 'they said "important news" and "uber"'),
('braces', $x${BERT} for {E}nglish, {{N}ested}$x$, 'BERT for English, Nested'),
('braces', $x$the set {a, b} and one } or { more$x$, 'the set {a, b} and one } or { more'),
-- Markdown
('markdown', $x$**Goal.** use _two_ [sets](http://s.example) and `code`$x$, 'Goal. use two sets and code'),
('markdown', $x$keep snake_case, a*b*c, 2*3, 2 * 3, * and p* < q*$x$, 'keep snake_case, a*b*c, 2*3, 2 * 3, * and p* < q*'),
('markdown', $x$***all*** **two words** *one*, by **40%**; __init__ ~~old~~$x$, 'all two words one, by 40%; init old'),
('markdown', E'# Title\n\n* one\n* two', E'Title\none two'),
('markdown', $x$refs [1], [2, 3] and f[x](y), ![alt](img/a.png)$x$, 'refs [1], [2, 3] and f[x](y), ![alt](img/a.png)'),
('markdown', $x$an *open mark and **another$x$, 'an *open mark and **another'),
-- tags
('jats', $x$<jats:title>Aims</jats:title><jats:p>We test H<jats:sub>2</jats:sub>O.</jats:p>$x$, E'Aims\nWe test H₂O.'),
('tags', $x$<p><i lang="la">E. coli</i> grew</p>$x$, 'E. coli grew'),
('tags', $x$Ca<sup>2+</sup>, HCO<sub>3</sub><sup>-</sup>, 10<sup>-5</sup>$x$, 'Ca²⁺, HCO₃⁻, 10⁻⁵'),
('tags', $x$<ul><li>one</li><li>two</li></ul>$x$, E'one\ntwo'),
('tags', $x$a<br/>b <span class='x' id="y">c</span> <!-- no --> d<![CDATA[ <e> ]]>$x$, 'a b c d <e>'),
('tags', $x$x <script>var i = 1;</script> y <https://h.example/a>$x$, 'x y https://h.example/a'),
('no tag', $x$gaps <0.5 mm and >2 mm, p<q and r>s$x$, 'gaps <0.5 mm and >2 mm, p<q and r>s'),
('no tag', $x$if a<b then b>a; x <y> z; <think> and <unk>$x$, 'if a<b then b>a; x <y> z; <think> and <unk>'),
('no tag', $x$open <a href="x and <b$x$, 'open <a href="x and <b'),
('entity', $x$p &lt; .05, R&amp;amp;D, &#946;-cell, &#x3b2;, &alpha;&nbsp;x$x$, 'p < .05, R&D, β-cell, β, α x'),
('entity', $x$Tom&notit, &notaword; AT&T, a&b;c, &#0; &#146;$x$, 'Tom&notit, &notaword; AT&T, a&b;c, � ’'),
('entity', $x$&lt;i&gt;Homo&lt;/i&gt; &amp;amp;amp;$x$, 'Homo &amp;'),
('mathml', $x$in <mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math> space$x$, 'in x² space'),
('mathml', $x$<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>$x$, '(a+b)/2'),
('mathml', $x$<math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup> <mo>=</mo> <msqrt><mi>y</mi></msqrt></math>$x$, 'xᵢ²=√y'),
('mathml', $x$<math><semantics><mover><mi>O</mi><mo>~</mo></mover><annotation encoding="tex">\tilde O</annotation></semantics></math>(1)$x$, 'Õ(1)'),
('mathml', $x$<alternatives><tex-math>$y^2$</tex-math><mml:math><mml:mi>y</mml:mi></mml:math></alternatives> ok$x$, 'y ok'),
('mathml', $x$&lt;mml:math&gt;&lt;mml:msub&gt;&lt;mml:mi&gt;T&lt;/mml:mi&gt;&lt;mml:mi&gt;c&lt;/mml:mi&gt;&lt;/mml:msub&gt;&lt;/mml:math&gt;$x$, 'T_c'),
-- characters
('nfc', U&'Schro\0308dinger, a\0323\0301, \212B', U&'Schr\00F6dinger, \1EA1\0301, \00C5'),
('invisible', U&'trans\00ADformer, zero\200Bwidth, \FEFFmark, \200Eleft\200F', 'transformer, zerowidth, mark, left'),
('blank', U&'  two  \00A0blanks\202Fand\3000wide \0009 tab ', 'two blanks and wide tab'),
('lines', E'one\r\ntwo\n\nthree\n \n four', E'one two\nthree\nfour'),
('lines', E'represen-\ntation, multi-\nlingual, end-\nto-end, pre-\nand post-test', 'represen-tation, multi-lingual, end-to-end, pre- and post-test'),
('kept', 'Cæsar œuvre straße Łódź eﬃcient CO₂ ＧＰＴ “x” – O’Neil’s 5′', 'Cæsar œuvre straße Łódź eﬃcient CO₂ ＧＰＴ “x” – O’Neil’s 5′'),
('kept', 'C++ and C#; F1@5; a/b; 3x; $', 'C++ and C#; F1@5; a/b; 3x; $'),
('empty', '', ''),
('empty', '   ', ''),
('empty', '$$ {} ** \', '$$ ** \');

SELECT kind, raw, abstract_plain(raw) AS got, want
FROM plain_case
WHERE abstract_plain(raw) IS DISTINCT FROM want
ORDER BY kind, raw;
SELECT count(*) > 70 AS all_read FROM plain_case;

-- reading display text once more changes nothing where no markup is left
SELECT kind, raw, abstract_plain(abstract_plain(raw)) AS got, want
FROM plain_case
WHERE abstract_plain(abstract_plain(raw)) IS DISTINCT FROM want
  AND want !~ E'[$*_&<{\\\\\n]'
ORDER BY kind, raw;

SELECT abstract_plain(NULL) IS NULL AS ok;

-- hostile texts take time in proportion to their length: seconds, where a
-- quadratic reader would take hours (a generous bound, for busy machines)
DO $do$
DECLARE
	piece text;
	t0 timestamptz;
	took float8;
BEGIN
	FOREACH piece IN ARRAY ARRAY['$', '$a ', '{', '{a', '**a ', '*', '_', '`', '<',
		'<a href="', '<b>', '<!--', '<script>', '<math><msup>', '<alternatives>', '&', '&amp;',
		'[a](http:', '[', '(', '\', '\a', '\cite{', '\tilde{', '\ifmmode ', '\begin{equation}',
		'\(', 'x^{', 'http://(', 'www.', '-', '``', U&'\0301\0323', '1', 'x']
	LOOP
		t0 := clock_timestamp();
		PERFORM length(abstract_plain(repeat(piece, 3000000 / length(piece))));
		took := extract(epoch FROM clock_timestamp() - t0);
		IF took > 10 THEN
			RAISE WARNING '3 MB of "%" take % s', piece, round(took::numeric, 1);
		END IF;
	END LOOP;
END
$do$;
