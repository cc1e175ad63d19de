import { readFile } from 'node:fs/promises';
import { WeirError } from '../../lib/errors.js';
import { html } from '../../lib/html.js';
import type { ApiRouter, Context } from '../context.js';
import { prefix } from '../contract/operation.js';

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Weir · REST API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`.html;

const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });
`;

/** What of the package is served. */
const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** `/api/v1/docs`: the OpenAPI document as a page to try it on, for those who develop Weir or a client of it. */
export function addDocsRoutes(router: ApiRouter): void {
  router.get(`${prefix}/docs`, (ctx) => {
    answer(ctx, page, 'text/html; charset=utf-8');
    ctx.set(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    );
  });
  router.get(`${prefix}/docs/start.js`, (ctx) => answer(ctx, start, 'text/javascript; charset=utf-8'));
  router.get(`${prefix}/docs/:file`, async (ctx) => {
    const { file = '' } = ctx.params;
    const type = Object.hasOwn(files, file) ? files[file] : undefined;
    if (type === undefined) throw new WeirError('not-found', 'There is nothing under this path.');
    answer(ctx, await packaged(file), type);
  });
}

/** The package is there where Weir is developed; it is looked for when it is asked for. */
async function packaged(file: string): Promise<Buffer> {
  try {
    return await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)));
  } catch (error) {
    throw new WeirError('unavailable', 'swagger-ui-dist is not installed. Run npm install.', { cause: error });
  }
}

function answer(ctx: Context, body: string | Buffer, type: string): void {
  ctx.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
  ctx.body = body;
  ctx.type = type;
}
