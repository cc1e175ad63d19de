import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import fc from 'fast-check';
import { bindingOf, mappingOf, readBinding } from '../../../src/relay/rtsp/stun.js';
import { pairOf } from './dialogues.js';

/** RFC 5769 §2.2. */
const id = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex');
const answer = Buffer.from(
  '0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000080001a147e112a643' +
    '000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96',
  'hex',
);

test('the sample answer of RFC 5769 §2.2 is read', () => {
  assert.deepEqual(readBinding(answer, id), { address: '192.0.2.1', port: 32_853 });
});

test('a plain address is read where there is no other, and the hidden one goes before it', () => {
  const plain = '000100080001123409080706';
  const hidden = '002000080001a147e112a643';
  const of = (attributes: string) =>
    readBinding(
      Buffer.from(
        `0101${(attributes.length / 2).toString(16).padStart(4, '0')}2112a442${id.toString('hex')}${attributes}`,
        'hex',
      ),
      id,
    );
  assert.deepEqual(of(plain), { address: '9.8.7.6', port: 0x1234 });
  assert.deepEqual(of(plain + hidden), { address: '192.0.2.1', port: 32_853 });
  assert.equal(of(''), null);
});

test('an answer to another question, an error and garbage are none', () => {
  assert.equal(readBinding(answer, Buffer.alloc(12)), null);
  assert.equal(readBinding(Buffer.from(answer).fill(1, 0, 1).fill(0x11, 1, 2), id), null);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => readBinding(Buffer.from(bytes), id) === null));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      readBinding(Buffer.concat([answer.subarray(0, 20), bytes]), id);
    }),
  );
});

test('a server that does not answer is asked twice and then left alone', async (t) => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const asked: Buffer[] = [];
  server.on('message', (data) => asked.push(data));
  const pair = pairOf(t);
  await pair.open('127.0.0.1');
  const to = { address: '127.0.0.1', port: server.address().port };
  assert.equal(await mappingOf(pair, to, new AbortController().signal), null);
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[0], bindingOf(asked[0]?.subarray(8) ?? id));
  assert.deepEqual(asked[0], asked[1]);
});

test('waiting for an answer can be broken off', async (t) => {
  const pair = pairOf(t);
  await pair.open('127.0.0.1');
  const controller = new AbortController();
  const mapping = mappingOf(pair, { address: '127.0.0.1', port: 9 }, controller.signal);
  controller.abort(new Error('gone'));
  await assert.rejects(mapping);
});
