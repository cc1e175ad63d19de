import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWeir } from '../support/weir.js';

const times = ['--start', '1704110400', '--end', '1704114000', '--now', '1704196800'];

function check(...args: readonly string[]): string {
  const { code, out, err } = runWeir('check', 'catchup', ...times, ...args);
  assert.equal(err, '');
  assert.equal(code, 0);
  return out;
}

test('the first line is the address that would be asked', () => {
  const out = check('--zone', 'Asia/Shanghai', '--template', 'rtsp://h/1?playseek={(b)YmdHMS}-{(e)YmdHMS}');
  assert.equal(out, 'rtsp://h/1?playseek=20240101200000-20240101210000\n');
});

test('a template that is no whole address is shown as it comes, without an address of the live channel', () => {
  assert.equal(
    check('--zone', 'UTC', '--template', '/{duration:60}/{Y}-{m}-{d}:{H}-{M}/9.ts'),
    '/60/2024-01-01:12-00/9.ts\n',
  );
});

test('unknown placeholders and headers follow, one a line', () => {
  const out = check(
    '--mode',
    'append',
    '--url',
    'http://h/a?k=1',
    '--template',
    '?u={utc}&i={catchup-id}|Referer=r',
    '--zone',
    'UTC',
  );
  assert.equal(
    out,
    'http://h/a?k=1&u=1704110400&i={catchup-id}\nplaceholders unknown: {catchup-id}\nheader: Referer: r\n',
  );
});

test('without mode and template an address with PLTV or TVOD takes playseek', () => {
  const out = check('--url', 'http://h/TVOD/1.ts?a=1', '--template', '', '--zone', 'Asia/Shanghai');
  assert.equal(out, 'http://h/TVOD/1.ts?a=1&playseek=20240101200000-20240101210000\n');
});

/** Arguments behind the times, and the first line. */
const modes: readonly (readonly [args: string, line: string])[] = [
  ['--mode shift --url http://h/a?k=1 --zone UTC', 'http://h/a?k=1&utc=1704110400&lutc=1704196800'],
  ['--mode fs --url http://h/151/mpegts?token=s --zone UTC', 'http://h/151/timeshift_abs-1704110400.ts?token=s'],
  ['--mode fs --url http://h/325/live --zone UTC', 'http://h/325/timeshift_abs-1704110400.ts'],
  ['--mode Flussonic --url http://h/325/live --zone UTC', 'http://h/325/timeshift_rel-86400.m3u8'],
  ['--mode xc --url http://h/live/u/p/7.ts --zone UTC-3', 'http://h/timeshift/u/p/60/2024-01-01:09-00/7.ts'],
  ['--url rtsp://h/PLTV/1.smil --zone +08:00', 'rtsp://h/PLTV/1.smil?playseek=20240101200000-20240101210000'],
  ['--template x?u={utc}&n={lutc} --correction -4 --zone UTC', 'x?u=1704124800&n=1704196800'],
  ['--template x?u={utc:HM} --formatted zone --zone Asia/Kolkata', 'x?u=1730'],
];
for (const [args, line] of modes)
  test(`${args} gives ${line}`, () => {
    assert.equal(check(...args.split(' ')).split('\n')[0], line);
  });

test('what goes by Range has it below the address', () => {
  const out = check('--url', 'rtsp://h/1?playseek=1', '--near-live', '86400', '--zone', 'UTC');
  assert.equal(out, 'rtsp://h/1\nrange: clock=20240101T120000Z-\n');
});

test('with --json it is one document', () => {
  const out = check('--template', 'http://h/{utc}/{x}|A=b', '--zone', 'UTC', '--json');
  const expected = { url: 'http://h/1704110400/{x}', headers: { A: 'b' }, range: null, unknown: ['{x}'] };
  assert.deepEqual(JSON.parse(out), expected);
});

test('without --end the end is open', () => {
  const { out } = runWeir(
    'check',
    'catchup',
    '--start',
    '1704110400',
    '--template',
    'x?p={utc}-{utcend}',
    '--zone',
    'UTC',
  );
  assert.equal(out, 'x?p=1704110400-\n');
});

for (const mode of ['append', 'shift', 'flussonic', 'xc', 'timeshift', 'playseek'])
  test(`mode ${mode} without --url is one sentence and exit 1`, () => {
    const { code, out, err } = runWeir(
      'check',
      'catchup',
      ...times,
      '--mode',
      mode,
      '--template',
      '?u={utc}',
      '--zone',
      'UTC',
    );
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /^weir: Mode [a-z-]+ needs an address of the live channel[^\n]+\n$/);
  });

const misuses = [
  ['--mode', 'none'],
  ['--zone', 'Europe/Nowhere'],
  ['--end', '1704114000.5'],
  ['--now', 'now'],
  ['--correction', 'x'],
  ['--formatted', 'local'],
  ['extra'],
];
for (const args of misuses)
  test(`weir check catchup ${args.join(' ')} is wrong usage: one line and exit 2`, () => {
    const { code, err } = runWeir('check', 'catchup', ...times, '--template', 'x', ...args);
    assert.equal(code, 2, err);
    assert.match(err, /^weir: [^\n]+\n$/);
  });
