import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  answerTo,
  field,
  MessageReader,
  numberOf,
  type RtspMessage,
  readHead,
  statusOf,
} from '../../../src/relay/rtsp/message.js';

/** Answer, frame, answer with a body, request, frame and the beginning of one. */
const conversation = Buffer.concat([
  Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS,\r\n\tDESCRIBE\r\n\r\n'),
  Buffer.from([0x24, 1, 0, 3, 0x0d, 0x0a, 0x24]),
  Buffer.from('\r\n\r\nRTSP/1.0 200\nCSEQ :2\nContent-length:  7\n\nv=0\r\n\r\n'),
  Buffer.from('ANNOUNCE rtsp://h/1 RTSP/1.0\r\nCSeq: 9\r\n\r\n'),
  Buffer.from([0x24, 0, 0, 2, 0x47, 0x47]),
  Buffer.from([0x24, 0, 0]),
]);

function readAll(pieces: readonly Buffer[]): { messages: RtspMessage[]; rest: Buffer } {
  const reader = new MessageReader('h:554');
  const messages = pieces.flatMap((piece) => reader.feed(piece));
  return { messages, rest: reader.rest() };
}

test('messages, folded lines, bare line feeds and frames between are told apart, and what is behind is kept', () => {
  const { messages, rest } = readAll([conversation]);
  assert.deepEqual(
    messages.map(({ start }) => start),
    ['RTSP/1.0 200 OK', 'RTSP/1.0 200', 'ANNOUNCE rtsp://h/1 RTSP/1.0'],
  );
  assert.deepEqual(messages.map(numberOf), [1, 2, 9]);
  assert.equal(field(messages[0] ?? readHead(''), 'public'), 'OPTIONS, DESCRIBE');
  assert.equal(messages[1]?.body.toString(), 'v=0\r\n\r\n');
  assert.deepEqual([...rest], [0x24, 1, 0, 3, 0x0d, 0x0a, 0x24, 0x24, 0, 0, 2, 0x47, 0x47, 0x24, 0, 0]);
});

test('in pieces of any size the same comes out as in one', () => {
  const whole = readAll([conversation]);
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: conversation.length - 1 }));
  fc.assert(
    fc.property(cuts, (at) => {
      const ends = [...at.sort((one, other) => one - other), conversation.length];
      const pieces = ends.map((end, index) => conversation.subarray(ends[index - 1] ?? 0, end));
      assert.deepEqual(readAll(pieces), whole);
    }),
  );
  assert.deepEqual(readAll([...conversation].map((byte) => Buffer.from([byte]))), whole);
});

test('whatever comes is read, or refused with one line that names the host', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (pieces) => {
      try {
        readAll(pieces.map((piece) => Buffer.from(piece)));
      } catch (error) {
        assert.match(String(error), /^RtspFault: h:554 [^\n]*\.$/);
      }
    }),
  );
});

test('what is no RTSP, or too long, is refused as soon as that is seen', () => {
  for (const [text, reason] of [
    ['HTTP/1.1 400 Bad Request\r\n', /^RtspFault: h:554 speaks HTTP, not RTSP: the address may want http:\/\/\.$/],
    ['SSH-2.0-x', /h:554 sends what is no RTSP: "SSH-2\.0-x"/],
    ['\u0016\u0003\u0001', /sends what is no RTSP/],
    ['220 ready\r\n', /sends what is no RTSP/],
    [`RTSP/1.0 200 OK\r\nX: ${'x'.repeat(16_384)}`, /sends a head of more than 16384 bytes/],
    [`RTSP/1.0 200 OK\r\n${'X: 1\r\n'.repeat(101)}\r\n`, /sends a head of more than 100 fields/],
    ['RTSP/1.0 200 OK\r\nContent-Length: 65537\r\n\r\n', /sends a body of 65537 bytes/],
    ['$\u0000\u0020\u0001', /sends media that nobody asked for yet/],
  ] as const) {
    assert.throws(() => readAll([Buffer.from(text, 'latin1')]), reason, text.slice(0, 30));
  }
});

test('a body of 64 KiB and a head of 16 KiB are taken, and a length that is no number is none', () => {
  const start = 'RTSP/1.0 200 OK\r\n';
  const { messages } = readAll([Buffer.from(`${start}Content-Length: 65536\r\n\r\n${'x'.repeat(65_536)}`)]);
  assert.equal(messages[0]?.body.length, 65_536);
  const head = `${start}X: ${'x'.repeat(16_384 - start.length - 7)}\r\n\r\n`;
  assert.equal(head.length, 16_384);
  assert.equal(readAll([Buffer.from(head)]).messages.length, 1);
  const odd = readAll([Buffer.from(`${start}Content-Length: many\r\n\r\n${start}\r\n`)]);
  assert.equal(odd.messages.length, 2);
});

test('status and phrase are read without a phrase too, and of requests there are none', () => {
  const of = (start: string) => statusOf(readHead(start));
  assert.deepEqual(of('RTSP/1.0 461 Unsupported Transport'), { status: 461, reason: 'Unsupported Transport' });
  assert.deepEqual(of('rtsp/1.0  200'), { status: 200, reason: '' });
  assert.equal(of('OPTIONS * RTSP/1.0'), null);
});

test('requests that Weir knows are answered 200 with number and session, others 501', () => {
  const answer = (text: string) => answerTo(readHead(text));
  assert.equal(
    answer('SET_PARAMETER rtsp://h/1 RTSP/1.0\r\nCSeq: 4\r\nSession: 1;timeout=5\r\n'),
    'RTSP/1.0 200 OK\r\nCSeq: 4\r\nSession: 1;timeout=5\r\n\r\n',
  );
  assert.equal(answer('RECORD rtsp://h/1 RTSP/1.0'), 'RTSP/1.0 501 Not Implemented\r\n\r\n');
});
