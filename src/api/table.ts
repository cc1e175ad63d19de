import { type Html, html } from '../lib/html.js';

/** One column of a table on a page; `class` is one of the stylesheet's, such as `n` for numbers. */
export type Column<T> = {
  readonly title: string;
  readonly class?: string;
  readonly of: (row: T) => Html | string | number | null;
};

/** A heading with the number of rows, and the table. */
export function section<T>(title: string, rows: readonly T[], columns: readonly Column<T>[]): Html {
  const heading = html`<h2>${title} <span>${rows.length}</span></h2>`;
  return rows.length === 0 ? html`${heading}<p class="soft">None.</p>` : html`${heading}${table(rows, columns)}`;
}

export function table<T>(rows: readonly T[], columns: readonly Column<T>[]): Html {
  const head = columns.map((column) => html`<th class="${column.class ?? ''}">${column.title}</th>`);
  const cells = (row: T) => columns.map((column) => html`<td class="${column.class ?? ''}">${column.of(row)}</td>`);
  return html`<div class="scroll"><table>
<thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
}

/** Text behind a dot that says how that is. */
export function mark(text: string, kind: 'good' | 'bad' | 'idle'): Html {
  return html`<span class="${kind}">${text}</span>`;
}
