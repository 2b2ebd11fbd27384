/** The report's one style sheet: light, dark, and paper. Contrast is 4.5:1 and more (WCAG 2.2, 1.4.3). */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --muted: #57606a; --back: #ffffff; --box: #f6f8fa; --line: #d0d7de;
  --link: #0550ae; --danger: #a40e26; --warning: #7d4e00; --last: #0a4d8c; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --muted: #a5adb7; --back: #0d1117; --box: #161b22;
  --line: #30363d; --link: #79c0ff; --danger: #ff938a; --warning: #e9b949; --last: #8ecbff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 52rem; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; font-size: 1.45rem; }
h3 { margin-top: 2rem; font-size: 1.15rem; }
h4 { margin: 0; font-size: 1.05rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; }
pre { padding: .6rem .8rem; background: var(--back); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); }
nav ol { padding-left: 1.4rem; }
article { margin: 1rem 0; padding: .9rem 1rem; background: var(--box); border: 1px solid var(--line); border-radius: 6px; }
.risk { margin: .5rem 0; padding: .3rem .7rem; border-left: 4px solid currentColor; }
.danger { color: var(--danger); } .warning { color: var(--warning); } .last-time { color: var(--last); }
.about, .facts { color: var(--muted); font-size: .9rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .6rem 0 0; }
.facts dd { margin: 0; }
@media print { :root { --text: #000; --muted: #333; --back: #fff; --box: #fff; --line: #999; --link: #000;
  --danger: #000; --warning: #000; --last: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; } article, h2, h3, h4, .risk { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; } nav { break-after: page; } }
`;
