import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../../../src/epg/read/refuse.js';

/** Bodies, and why they are no guides. */
const bodies: Readonly<Record<string, string | null>> = {
  '': 'It is empty.',
  '\ufeff \n': 'It is empty.',
  '<!DOCTYPE html><html><body>Log in</body></html>': 'It is an HTML page, not a guide.',
  '\n<!-- x --><HTML lang="en">': 'It is an HTML page, not a guide.',
  '<h1>502 Bad Gateway</h1>': 'It is an HTML page, not a guide.',
  '{"error":"no such account"}': 'It is JSON, not a guide.',
  ' []': 'It is JSON, not a guide.',
  '#EXTM3U\n#EXTINF:-1,A': 'It is a playlist, not a guide.',
  '<?xml version="1.0"?><rss version="2.0">': 'It is XML, but no guide: its root is <rss>, not <tv>.',
  '<tvshow>': 'It is XML, but no guide: its root is <tvshow>, not <tv>.',
  'Too many\nrequests': 'It is no XML: it begins with "Too many requests".',
  '<tv>': null,
  '\ufeff\n<?xml version="1.0"?>\n<!DOCTYPE tv [<!ENTITY x "<html>">]>\n<!-- <html> --><tv generator-info-name="x">':
    null,
  '<programme start="2024" channel="a">': null,
  '<?xml version="1.0"?><!-- a comment that goes on': null,
};

for (const [body, expected] of Object.entries(bodies)) {
  test(`a body that begins with ${JSON.stringify(body.slice(0, 60))} is ${expected === null ? 'not refused' : 'refused'} (X11)`, () => {
    assert.equal(refusal(Buffer.from(body)), expected);
    assert.equal(refusal(Buffer.from(`\ufeff${body}`, 'utf16le')), expected);
  });
}
