import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.js';
import { configSchema } from '../../src/config/schema.js';
import { packagePath } from '../../src/lib/package-path.js';

const example = packagePath('config.example.yaml');
const lines = readFileSync(example, 'utf8').split('\n');

test('the example configuration is the defaults', () => {
  const defaults = loadConfig({ environment: {}, flags: {} });
  assert.deepEqual(loadConfig({ file: example, environment: {}, flags: {} }), defaults);
});

test('the example has every key, with its default, but the data directory, whose default is the user’s', () => {
  const written = parse(lines.join('\n')) as { streams: object; viewer_tcp: object; rtsp: object };
  const keys = Object.keys(configSchema.shape).filter((key) => key !== 'data');
  assert.deepEqual(Object.keys(written), keys);
  assert.deepEqual(Object.keys(written.streams), Object.keys(configSchema.shape.streams.unwrap().shape));
  assert.deepEqual(Object.keys(written.rtsp), Object.keys(configSchema.shape.rtsp.unwrap().shape));
  assert.deepEqual(Object.keys(written.viewer_tcp), Object.keys(configSchema.shape.viewer_tcp.unwrap().shape));
  assert.ok(lines.some((line) => line.startsWith('# data: ')));
});

test('every key of the example has a comment above it', () => {
  const bare = lines.filter((line, index) => /^\s*[a-z_]+:/.test(line) && !/^\s*#/.test(lines[index - 1] ?? ''));
  assert.deepEqual(bare, []);
});
