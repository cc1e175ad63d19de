import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from '../../src/api/openapi.js';
import { packagePath } from '../../src/lib/package-path.js';
import { ask } from '../support/http.js';
import { startApi } from './support.js';

test('the committed openapi.json is what the contract says now', () => {
  const committed: unknown = JSON.parse(readFileSync(packagePath('openapi.json'), 'utf8'));
  assert.deepEqual(committed, JSON.parse(JSON.stringify(openApiDocument)), 'run: npm run openapi');
});

test('the OpenAPI document has nothing that the recommended rules of a linter find', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const lint = (document: unknown) =>
    lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  const problems = (await lint(openApiDocument)).map(({ ruleId, message }) => `${ruleId}: ${message}`);
  assert.deepEqual(problems, []);
  const spoilt = await lint({ ...openApiDocument, openapi: '3.1.1', tags: [], info: { title: 'Weir' } });
  assert.ok(spoilt.length > 0, 'the linter sees what is wrong');
});

test('/api/v1/openapi.json is the document, for everybody, and 304 to whoever has it', async (t) => {
  const { url } = await startApi(t);
  const { status, headers, body } = await ask(url, '/api/v1/openapi.json');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.deepEqual(JSON.parse(body), JSON.parse(JSON.stringify(openApiDocument)));
  const again = await ask(url, '/api/v1/openapi.json', { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  assert.equal(again.body, '');
});

test('the page that shows it is there in development alone, and loads nothing from elsewhere', async (t) => {
  const { url } = await startApi(t, { development: true });
  const page = await ask(url, '/api/v1/docs');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'; /);
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  assert.deepEqual(loaded, ['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
  for (const path of loaded) {
    const { status, headers } = await ask(url, `/api/v1/${path}`);
    assert.equal(status, 200, path);
    assert.match(headers.get('content-type') ?? '', path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
  for (const path of ['docs/package.json', 'docs/..%2Fpackage.json', 'docs/constructor']) {
    assert.equal((await ask(url, `/api/v1/${path}`)).status, 404, path);
  }
  const { url: production } = await startApi(t);
  assert.equal((await ask(production, '/api/v1/docs')).status, 404);
});
