--
-- Faults of markup: what is shown (rows 1 to 19)
-- Each line: the row of the list of text faults, a text, and what is right.
-- Only what is wrong is shown.
--
SET client_encoding = utf8;
CREATE TEMP TABLE plain_case (row int, raw text, want text);
INSERT INTO plain_case VALUES
(1, $x$with $1.5\times 10^{4}$ km and $\pm 2\%$ of it$x$, $x$with 1.5×10⁴ km and ±2% of it$x$),
(1, $x$p$<$0.05, $\sim$5, 3$\times$3, 10$^{12}$ M$_\odot$$x$, $x$p<0.05, ∼5, 3×3, 10¹² M_⊙$x$),
(1, $x$\alpha and \beta x, \lambda-calculus, \mathcal{O}(n)$x$, $x$α and β x, λ-calculus, O(n)$x$),
(2, $x$\textit{\textbf{both}}, H\textsubscript{2}O, \textsf{Foo}Bar$x$, $x$both, H2O, FooBar$x$),
(3, $x$by \autocite{a}, and~\parencite[p.~2]{b}.$x$, $x$by, and.$x$),
(4, $x$in the past (\myref), \ours wins; \method{ABC} too$x$, $x$in the past, wins; ABC too$x$),
(6, $x$x~=~3, Table~2, 1990--95, well--known$x$, $x$x = 3, Table 2, 1990–95, well–known$x$),
(7, $x$\l{}uk, {\L}uk, \u{g}, \d{s}, \k{a}, \.{I}, \"Uber$x$, $x$łuk, Łuk, ğ, ṣ, ą, İ, Über$x$),
(8, $x$rock 'n' roll, 'a' mark, A\_B, it's$x$, $x$rock 'n' roll, 'a' mark, A_B, it's$x$),
(9, $x${{DNA}}, {G}raph{SAGE}, {\rm RNA}$x$, $x$DNA, GraphSAGE, RNA$x$),
(10, $x$5 \ifmmode^\circ\else\textdegree\fi C$x$, $x$5 °C$x$),
(10, $x${\ifmmode \check{Z}\else \v{Z}\fi{}i\v{z}ek}$x$, $x$Žižek$x$),
(11, $x$\href{http://y.example}{\texttt{code}} at \nolinkurl{z.example/a}$x$, $x$code at z.example/a$x$),
(12, $x$between $1.5M and $2M; A$ is sold$x$, $x$between $1.5M and $2M; A$ is sold$x$),
(12, $x$$5-$10 or A$ and B$x$, $x$$5-$10 or A$ and B$x$),
(13, $x$f(*args, **kw), x_1_2, _x_, `code_x`$x$, $x$f(*args, **kw), x_1_2, x, code_x$x$),
(16, $x$P<I, J>, List<String>, 3<x<5, <= 3, <- and ->$x$, $x$P<I, J>, List<String>, 3<x<5, <= 3, <- and ->$x$),
(17, $x$&amp;lt;0.05, &ge;5, &Delta;G, A&B;C$x$, $x$<0.05, ≥5, ΔG, A&B;C$x$),
(17, $x${\&}lt;i{\&}gt;x{\&}lt;/i{\&}gt; R\&D$x$, $x$x R&D$x$),
(19, $x$<mml:math><mml:semantics><mml:mrow><mml:mi>k</mml:mi><mml:mo>=</mml:mo><mml:mn>3</mml:mn></mml:mrow><mml:annotation encoding="tex">k=3</mml:annotation></mml:semantics></mml:math> of$x$, $x$k=3 of$x$),
(19, $x${\textless}mml:math{\textgreater}{\textless}mml:msup{\textgreater}{\textless}mml:mi{\textgreater}y{\textless}/mml:mi{\textgreater}{\textless}mml:mn{\textgreater}3{\textless}/mml:mn{\textgreater}{\textless}/mml:msup{\textgreater}{\textless}/mml:math{\textgreater} on$x$, $x$y³ on$x$),
(19, $x$$\less$i$\greater$E. coli$\less$/i$\greater$ and $<$sub$>$2$<$/sub$>$$x$, $x$E. coli and ₂$x$);
SELECT row, raw, abstract_plain(raw) AS got, want FROM plain_case
WHERE abstract_plain(raw) IS DISTINCT FROM want ORDER BY row, raw;
SELECT count(*) AS texts, count(DISTINCT row) AS rows FROM plain_case;
