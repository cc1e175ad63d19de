import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listOf, sourceSchema, streamSchema, viewerSchema } from '../../src/api/contract.js';
import { formatBitrate, formatBytes, formatDuration } from '../../src/api/format.js';
import { ask } from '../support/http.js';
import { bearer, secrets, source, startApi, stream, viewer } from './support.js';

const key = { headers: bearer(secrets.read) };

test('/status shows streams, viewers and lists, and whatever others wrote is escaped', async (t) => {
  const { url } = await startApi(t);
  const { body, headers } = await ask(url, '/status', key);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/);
  for (const shown of [
    'rtp://@239.1.1.1:5000',
    'live',
    '8.00 Mbit/s',
    '1 h 2 min',
    '192.168.1.9',
    'quarantined',
    '2026-01-01 00:00',
  ]) {
    assert.ok(body.includes(shown), shown);
  }
  assert.ok(body.includes('&#60;script&#62;alert(1)&#60;/script&#62;'), body);
  assert.ok(body.includes('News &#60;b&#62;&#34;HD&#34;&#60;/b&#62;'));
  assert.ok(body.includes('/lists/&#60;a&#62;.m3u'));
  assert.ok(body.includes('the list is empty &#38; was not taken'));
  assert.doesNotMatch(body, /<script|<b>|<a>/);
});

test('the first page names the playlist as the request came, for everybody', async (t) => {
  const { url } = await startApi(t);
  const { status, body } = await ask(url, '/', { headers: { Host: 'tv.lan:5140' } });
  assert.equal(status, 200);
  assert.ok(body.includes('http://tv.lan:5140/playlist.m3u'));
});

test('the lists of the REST API have the shapes of the contract', async (t) => {
  const { url } = await startApi(t);
  const items = async (path: string) => JSON.parse((await ask(url, path, key)).body) as unknown;
  assert.deepEqual(listOf(streamSchema).parse(await items('/api/v1/streams')), { items: [stream] });
  assert.deepEqual(listOf(viewerSchema).parse(await items('/api/v1/viewers')), { items: [viewer] });
  assert.deepEqual(listOf(sourceSchema).parse(await items('/api/v1/sources')), { items: [source] });
});

test('/metrics has every count of the streams and viewers that there are now', async (t) => {
  const { url, relay } = await startApi(t);
  const first = await ask(url, '/metrics');
  assert.match(first.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const ofStream = '{stream="rtp://@239.1.1.1:5000",address="rtp://@239.1.1.1:5000"}';
  const ofViewer = '{viewer="v1",stream="rtp://@239.1.1.1:5000"}';
  const lines = [
    'weir_streams 1',
    'weir_viewers 1',
    `weir_stream_packets_total${ofStream} 1000`,
    `weir_stream_bytes_total${ofStream} 1316000`,
    `weir_stream_continuity_errors_total${ofStream} 2`,
    `weir_stream_kernel_drops_total${ofStream} 7`,
    `weir_stream_bitrate_bits${ofStream} 8000000`,
    `weir_stream_live${ofStream} 1`,
    `weir_viewer_bytes_total${ofViewer} 1000000`,
    `weir_viewer_lost_bytes_total${ofViewer} 188`,
    `weir_viewer_lag_bytes${ofViewer} 1316`,
  ];
  for (const line of lines) assert.ok(first.body.split('\n').includes(line), line);
  relay.streams = () => Promise.resolve([]);
  relay.viewers = () => Promise.resolve([]);
  const second = await ask(url, '/metrics');
  assert.ok(second.body.includes('\nweir_streams 0\n'));
  assert.ok(!second.body.includes('239.1.1.1'), second.body);
});

test('numbers are written for people', () => {
  assert.deepEqual([0, 999, 1000, 999_999, 1_316_000, 5e12, 5e15].map(formatBytes), [
    '0 B',
    '999 B',
    '1.00 kB',
    '1000 kB',
    '1.32 MB',
    '5.00 TB',
    '5000 TB',
  ]);
  assert.deepEqual([0, 128_000, 40_000_000].map(formatBitrate), ['0 bit/s', '128 kbit/s', '40.0 Mbit/s']);
  assert.deepEqual([0, 0.9, 61, 3600, 90_061].map(formatDuration), ['0 s', '0 s', '1 min 1 s', '1 h 0 min', '1 d 1 h']);
});
