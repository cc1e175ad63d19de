import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Frame, parseFrame } from '../../src/relay/frame.js';
import { formatNote, parseNote, streamStatus } from '../../src/relay/status.js';

const live = { channel: 7, token: null, userAgent: 'VLC', peer: '192.168.1.9', archive: null, asked: null };

test('what is noted of a viewer is read again, and a note of an older version is of one who watches live', () => {
  for (const note of [live, { ...live, archive: { start: 10.5, end: null }, asked: 'f00' }]) {
    assert.deepEqual(parseNote(formatNote(note)), note);
  }
  assert.deepEqual(parseNote('{"channel":7,"token":null,"userAgent":"VLC","peer":"192.168.1.9"}'), live);
  const nothing = { ...live, channel: null, userAgent: null, peer: '' };
  for (const broken of ['', '{', 'null', '7', '{"archive":{"end":3}}', '{"archive":"x","asked":4}']) {
    assert.deepEqual(parseNote(broken), nothing, broken);
  }
});

test('a stream of a session says its address, how it comes and what of the past it brings', () => {
  const note = encodeURIComponent(JSON.stringify({ v: 1, archive: { start: 1_704_110_400, end: 1_704_114_000 } }));
  const status = streamStatus(
    read(`stream?stream=a&kind=rtsp&url=rtsp%3A%2F%2Fh%2Fa%3Fb%3D1&transport=tcp&media=12.5&note=${note}`),
  );
  assert.deepEqual(status.upstream, { kind: 'rtsp', url: 'rtsp://h/a?b=1', interface: null });
  assert.deepEqual([status.transport, status.media], ['tcp', 12.5]);
  assert.deepEqual(status.archive, { start: 1_704_110_400, end: 1_704_114_000 });
});

test('a stream of datagrams has neither transport nor past', () => {
  const { upstream, transport, media, archive } = streamStatus(
    read('stream?stream=a&kind=rtp&address=239.1.1.1&port=5000&note='),
  );
  assert.deepEqual(upstream, { kind: 'rtp', address: '239.1.1.1', port: 5000, source: null, interface: null });
  assert.deepEqual([transport, media, archive], [null, null, null]);
});

function read(text: string): Frame {
  const frame = parseFrame(text);
  assert.ok(frame !== null);
  return frame;
}
