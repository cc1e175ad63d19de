import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentHash } from '../../../src/epg/read/content-hash.js';

function hashOf(attributes: string, content: string, manner = 'm'): number {
  const tag = `<programme ${attributes}>`;
  const element = Buffer.from(`${tag}${content}</programme>`);
  const hasMore = /pdc-start|showview/.test(attributes);
  return contentHash(manner)(element, tag.length, tag.length + content.length, hasMore);
}

const content = '<title>T</title>';
const airing = 'start="20240101120000 +0000" stop="20240101130000 +0000" channel="a"';

test('a programme says the same whenever and wherever it is shown', () => {
  const hash = hashOf(airing, content);
  assert.ok(Number.isSafeInteger(hash) && hash > 0 && hash < 2 ** 52);
  assert.equal(hashOf('channel="b" start="20250101120000"', content), hash);
});

test('another content, another attribute and another manner give another hash', () => {
  const more = `${airing} showview="1"`;
  const hashes = [
    hashOf(airing, content),
    hashOf(airing, `${content} `),
    hashOf(airing, ''),
    hashOf(airing, content, 'n'),
    hashOf(more, content),
    hashOf(more, content, 'n'),
    hashOf(`${airing} showview="2"`, content),
    hashOf(`${airing} pdc-start="1"`, content),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(hashOf('channel="b" showview="1" start="2025"', content), hashOf(more, content));
});
