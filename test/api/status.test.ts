import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemSchema } from '../../src/api/contract/problem.js';
import { sourceOperations } from '../../src/api/contract/source.js';
import { streamDetailSchema, streamOperations } from '../../src/api/contract/stream.js';
import { formatBitrate, formatBytes, formatDuration, formatInterval } from '../../src/api/format.js';
import { ask } from '../support/http.js';
import { detail, stream, viewer } from './stub-relay.js';
import { bearer, secrets, source, startApi } from './support.js';

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

test('/status leads to each stream, and sums up what is wrong with its TS', async (t) => {
  const { url } = await startApi(t);
  const { body } = await ask(url, '/status', key);
  const [, path = ''] = /<a href="(status\/streams\/[^"]+)"><code>rtp:/.exec(body) ?? [];
  assert.ok(
    body.includes(
      '<span title="Sync: 11, PAT: 12, Continuity: 2, PMT: 13, PID: 14, Transport: 15, CRC: 16, PCR: 17">100</span>',
    ),
    body,
  );
  assert.equal((await ask(url, `/${path}`, key)).status, 200);
});

test('the page of a stream shows its health, its PIDs and its viewers, escaped', async (t) => {
  const { url } = await startApi(t);
  const path = `/status/streams/${encodeURIComponent(stream.id)}`;
  const { body } = await ask(url, path, key);
  for (const row of [
    '<span class="bad">PAT</span></td><td class="">1.3</td><td class="n">12</td><td class="n">100 ms</td><td class="n">500 ms</td>',
    '<span class="bad">PCR</span></td><td class="">2.3</td><td class="n">17</td><td class="n">39 ms</td><td class="n">100 ms</td>',
    '<td class="">256</td><td class="">component, PCR</td><td class="">H.264</td><td class="n">7.00 Mbit/s</td><td class="n">900</td><td class="n">2</td><td class="n">18</td>',
    '<td class="">300</td><td class="">in no table</td>',
    '18 packets were scrambled.',
    '&#60;script&#62;alert(1)',
  ]) {
    assert.ok(body.includes(row), `${row} in ${body}`);
  }
  assert.doesNotMatch(body, /<script|<b>/);
  assert.equal((await ask(url, path)).status, 401);
  assert.equal((await ask(url, '/status/streams/none', key)).status, 404);
});

test('the first page names the playlist as the request came, for everybody', async (t) => {
  const { url } = await startApi(t);
  const { status, body } = await ask(url, '/', { headers: { Host: 'tv.lan:5140' } });
  assert.equal(status, 200);
  assert.ok(body.includes('http://tv.lan:5140/playlist.m3u'));
});

test('the lists of the REST API have the shapes of the contract', async (t) => {
  const { url } = await startApi(t);
  const page = async (path: string) => JSON.parse((await ask(url, path, key)).body) as unknown;
  const { listStreams, listViewers } = streamOperations;
  assert.deepEqual(listStreams.answer.body.parse(await page('/api/v1/streams')), { items: [stream], next: null });
  assert.deepEqual(listViewers.answer.body.parse(await page('/api/v1/viewers')), { items: [viewer], next: null });
  const { body } = sourceOperations.listSources.answer;
  assert.deepEqual(body.parse(await page('/api/v1/sources')), { items: [source], next: null });
});

test('one stream of the REST API has its PIDs; an unknown one is 404, and without a key nobody is told', async (t) => {
  const { url } = await startApi(t);
  const path = `/api/v1/streams/${encodeURIComponent(stream.id)}`;
  assert.deepEqual(streamDetailSchema.parse(JSON.parse((await ask(url, path, key)).body)), detail);
  const { status, headers, body } = await ask(url, '/api/v1/streams/none', key);
  assert.deepEqual([status, headers.get('content-type')], [404, 'application/problem+json']);
  assert.equal(problemSchema.parse(JSON.parse(body)).code, 'not-found');
  assert.equal((await ask(url, path)).status, 401);
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
    `weir_stream_sync_losses_total${ofStream} 11`,
    `weir_stream_pat_errors_total${ofStream} 12`,
    `weir_stream_pmt_errors_total${ofStream} 13`,
    `weir_stream_pid_errors_total${ofStream} 14`,
    `weir_stream_transport_errors_total${ofStream} 15`,
    `weir_stream_crc_errors_total${ofStream} 16`,
    `weir_stream_pcr_errors_total${ofStream} 17`,
    `weir_stream_scrambled_packets_total${ofStream} 18`,
    `weir_stream_pat_interval_seconds${ofStream} 0.1`,
    `weir_stream_pmt_interval_seconds${ofStream} 0.25`,
    `weir_stream_pcr_interval_seconds${ofStream} 0.0386`,
    `weir_viewer_bytes_total${ofViewer} 1000000`,
    `weir_viewer_lost_bytes_total${ofViewer} 188`,
    `weir_viewer_lag_bytes${ofViewer} 1316`,
  ];
  for (const line of lines) assert.ok(first.body.split('\n').includes(line), line);
  assert.doesNotMatch(first.body, /^weir_stream_pcr_jitter_seconds\{/m, 'what is not known is left out');
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
  assert.deepEqual([0.00214, 0.0386, 0.5, 5].map(formatInterval), ['2.1 ms', '39 ms', '500 ms', '5 s']);
  assert.deepEqual([0, 0.9, 61, 3600, 90_061].map(formatDuration), ['0 s', '0 s', '1 min 1 s', '1 h 0 min', '1 d 1 h']);
});
