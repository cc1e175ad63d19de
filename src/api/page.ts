import { createHash } from 'node:crypto';
import { type Html, html } from '../lib/html.js';
import type { Context } from './context.js';

const style = `
:root { color-scheme: light dark; --line: #8883; --soft: #888; --good: #1a7f4b; --bad: #c2410c; }
@media (prefers-color-scheme: dark) { :root { --good: #4ade80; --bad: #fb923c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2.5rem 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; align-items: baseline; gap: 1.5rem; margin-bottom: 2rem; }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -0.02em; }
h2 { margin: 2.25rem 0 0.5rem; font-size: 1rem; }
h2 span { margin-left: 0.4rem; color: var(--soft); font-weight: normal; }
p { max-width: 42rem; }
a { color: inherit; text-underline-offset: 0.2em; }
code { font: 0.93em ui-monospace, monospace; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.good::before, .bad::before, .idle::before { content: ''; display: inline-block; width: 0.5em; height: 0.5em;
  margin-right: 0.5em; border-radius: 50%; background: var(--soft); vertical-align: 0.1em; }
.good::before { background: var(--good); }
.bad::before { background: var(--bad); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.45rem 1.25rem 0.45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-size: 0.85rem; font-weight: 500; white-space: nowrap; }
.n { padding-right: 1.25rem; text-align: right; white-space: nowrap; }
th:last-child, td:last-child { padding-right: 0; }
td.state { white-space: nowrap; }
td.agent { max-width: 20rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list { display: block; margin: 0.25rem 0 1.5rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.4rem; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Answers with a page. It runs no script, loads nothing, and may not be put into another page. */
export function answerPage(ctx: Context, title: string, body: Html, refresh: number | null = null): void {
  const again = refresh === null ? null : html`<meta http-equiv="refresh" content="${refresh}">`;
  ctx.set('Content-Security-Policy', `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${again}
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
${body}
</body>
</html>
`.html;
  ctx.type = 'text/html; charset=utf-8';
}
