"""How a rulebook page looks: paper and ink, light and dark, wide and narrow, and in print."""

STYLE = """
:root { color-scheme: light dark; --paper: #fbf9f4; --ink: #23211d; --soft: #6a6559; --line: #ded8ca;
  --tint: #f2eee4; --accent: #7a2e1d; --box: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #e9e4d8; --soft: #aaa393;
  --line: #3b3832; --tint: #262421; --accent: #e5a58c; --box: #21201d; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { font: 1.0625rem/1.6 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif', Georgia, serif;
  max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
:lang(hi) body, body:lang(hi) { font-family: 'Noto Serif Devanagari', 'Noto Sans Devanagari', 'Lohit Devanagari',
  Mangal, serif; line-height: 1.75; }
body:lang(ur) { font-family: 'Noto Nastaliq Urdu', 'Noto Naskh Arabic', 'Noto Sans Arabic', serif; line-height: 2.1; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
body:lang(ur) :is(h1, h2, h3) { line-height: 1.8; }
h1 { font-size: 2.6rem; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; margin: 2.75rem 0 .75rem; padding-block-end: .3rem; border-block-end: 1px solid var(--line);
  color: var(--accent); }
h3 { font-size: 1.12rem; margin: 1.6rem 0 .4rem; }
p, ol, ul { margin: .5rem 0; }
.lead { font-size: 1.22rem; color: var(--soft); margin-block-end: 1.5rem; }
.note { font-size: .92rem; color: var(--soft); }
ol, ul { padding-inline-start: 1.6rem; }
li { margin: .2rem 0; }
li > ol, li > ul { margin: .15rem 0 .35rem; }
ol ol { list-style-type: lower-alpha; } ol ol ol { list-style-type: lower-roman; }
li::marker { color: var(--soft); font-size: .9em; }
em { font-style: italic; } a { color: inherit; text-decoration: underline 1px dotted var(--soft);
  text-underline-offset: .18em; } a:hover, a:focus-visible { color: var(--accent); }
nav { font-size: .95rem; color: var(--soft); border-block: 1px solid var(--line); padding: .6rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; padding: 0; margin: 0; }
.scroll { overflow-x: auto; margin: .9rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .97em; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .38rem .7rem; text-align: start; vertical-align: top; border-block-end: 1px solid var(--line); }
thead th { font-size: .85em; color: var(--soft); font-weight: 600; border-block-end: 2px solid var(--line); }
tbody th { font-weight: 600; }
.few td:not(:first-child) { font-variant-numeric: tabular-nums; }
.example { background: var(--box); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1.1rem 1rem;
  margin: 1rem 0; }
.example h3 { margin: 0 0 .6rem; }
.cards { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem; margin: .45rem 0; }
.cards .label { flex: 0 0 8.5rem; color: var(--soft); font-size: .92em; }
.cards .row { display: flex; flex-wrap: wrap; gap: .25rem; flex: 1 1 12rem; direction: ltr; }
[dir=rtl] .cards .row { justify-content: flex-end; }
.card { width: 2.6rem; height: 3.64rem; }
.many .card { width: 1.9rem; height: 2.66rem; }
.chip { display: inline-block; direction: ltr; unicode-bidi: isolate; white-space: nowrap; background: #fffdf8;
  color: #1c1c22; border: 1px solid #b9b3a3; border-radius: .28em; padding: 0 .28em; font-size: .9em; line-height: 1.35;
  font-weight: 600; font-family: Georgia, serif; }
.chip.red { color: #b8252c; } .chip svg { width: .78em; height: .78em; margin-inline-start: .08em;
  vertical-align: -.04em; }
.symbols { position: absolute; width: 0; height: 0; }
[lang=en].foreign { direction: ltr; text-align: start; background: var(--tint); }
@media (max-width: 34rem) { body { padding: 1.25rem .9rem 3rem; font-size: 1rem; } h1 { font-size: 2rem; }
  .cards .label { flex-basis: 100%; } th, td { padding: .35rem .4rem; } .card { width: 2.3rem; height: 3.22rem; } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --tint: #f4f4f4;
  --accent: #000; --box: #fff; } body { font-size: 10.5pt; max-width: none; padding: 0; } nav { display: none; }
  h2, h3 { break-after: avoid; } .example, tr, li { break-inside: avoid; } a { text-decoration: none; }
  .card { width: 9mm; height: 12.6mm; } @page { margin: 18mm 16mm; } }
"""
