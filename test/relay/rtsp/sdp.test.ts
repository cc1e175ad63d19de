import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSdp } from '../../../src/relay/rtsp/sdp.js';

const none = { control: null, track: null, duration: null, clock: null };
const read = (...lines: string[]) => readSdp(lines.map((line) => `${line}\r\n`).join(''), 'h:554');

test('a server by GStreamer is read', () => {
  const facts = read(
    ...['v=0', 'o=- 11 1 IN IP4 127.0.0.1', 's=Session streamed with GStreamer', 't=0 0', 'a=type:broadcast'],
    ...['a=control:*', 'a=range:npt=now-', 'm=video 0 RTP/AVP 33', 'c=IN IP4 0.0.0.0', 'a=rtpmap:33 MP2T/90000'],
    ...['a=framerate:25', 'a=control:stream=0', 'a=ts-refclk:local'],
  );
  assert.deepEqual(facts, { ...none, control: '*', track: 'stream=0' });
});

test('a server by live555 is read, with the length of its file', () => {
  const facts = read(
    ...['v=0', 's=MPEG Transport Stream, streamed by the LIVE555 Media Server', 'i=a.ts', 'a=range:npt=0-59.960'],
    ...['a=control:*', 'm=video 0 RTP/AVP 33', 'b=AS:5000', 'a=control:track1'],
  );
  assert.deepEqual(facts, { control: '*', track: 'track1', duration: 59.96, clock: null });
});

test('an archive by Huawei is read, with the part of the past that it has', () => {
  const facts = read(
    ...['v=0', 's=-', 'a=control:rtsp://10.0.0.1:554/PLTV/1.smil', 'a=range:clock=20240101T120000Z-20240101T130000Z'],
    ...['m=video 0 MP2T/RTP/TCP 33', 'a=control:rtsp://10.0.0.1:554/PLTV/1.smil/trackID=2'],
  );
  assert.deepEqual(facts, {
    control: 'rtsp://10.0.0.1:554/PLTV/1.smil',
    track: 'rtsp://10.0.0.1:554/PLTV/1.smil/trackID=2',
    duration: null,
    clock: [1704110400, 1704114000],
  });
});

test('a server by ZTE is read, with attributes of its own, bare line feeds and lines that are none', () => {
  const text =
    'v=0\na=x-ZMSS-Flag:1;x\nm=video 0 RTP/AVP 96\nk=\nnonsense\na=x-ZMSS-Track:0\na=range:npt=0-\na=control:trackID=2\n';
  assert.deepEqual(readSdp(text, 'h'), { ...none, track: 'trackID=2' });
});

test('MPEG-TS is chosen wherever it stands, by payload type, name or protocol', () => {
  const audio = ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 MPEG4-GENERIC/48000/2', 'a=control:a'];
  const video = ['m=video 0 RTP/AVP 98', 'a=rtpmap:98 H264/90000', 'a=control:v'];
  for (const section of [
    'm=video 0 udp 33',
    'm=data 0 RTP/AVP 100|a=rtpmap:100 mp2t/90000',
    'm=video 0 MP2T/H2221/UDP 99',
  ]) {
    assert.equal(read('v=0', ...audio, ...video, ...section.split('|'), 'a=control:ts').track, 'ts', section);
  }
  assert.equal(read('v=0', ...audio, 'm=video 0 RTP/AVP 96', 'a=control:unsaid').track, 'unsaid');
});

test('what has no MPEG-TS is refused by the name of what it has', () => {
  const refusal = (what: string) => ({
    code: 'upstream-refused',
    message: `h:554 sends ${what} over RTP without MPEG-TS, which Weir cannot put into a stream yet.`,
  });
  const h264 = ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000'];
  const aac = ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 mpeg4-generic/48000/2'];
  assert.throws(() => read('v=0', ...h264), refusal('H.264'));
  assert.throws(() => read('v=0', ...h264, ...aac), refusal('H.264 and AAC'));
  assert.throws(() => read('v=0', 'm=video 0 RTP/AVP 96', 'a=rtpmap:96 H265/90000'), refusal('HEVC'));
  assert.throws(() => read('v=0', 'm=video 0 RTP/AVP 26'), refusal('JPEG'));
  assert.throws(() => read('v=0', 'm=audio 0 RTP/AVP 96'), refusal('no video'));
});

test('what is no description is refused', () => {
  for (const text of ['', '<html><body>It works!</body></html>', 'v=0\r\ns=-\r\n', '\u0000\u0001']) {
    assert.throws(() => readSdp(text, 'h:554'), {
      message: 'h:554 describes nothing that can be played: its SDP has no media.',
    });
  }
});
