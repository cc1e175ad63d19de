import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Archive,
  archiveOf,
  type CatchupSetting,
  type EffectiveCatchup,
  effectiveCatchup,
  settingOf,
} from '../../src/model/archive.js';
import type { Catchup } from '../../src/model/entry.js';

type Part = Partial<CatchupSetting> | null;
type Says = Partial<Omit<EffectiveCatchup, 'said'>> & { readonly by?: Partial<EffectiveCatchup['said']> };

const rtsp = ['rtsp://h/1'];
const pltv = ['rtsp://h/PLTV/1.smil'];
const append: Catchup = { mode: 'append', source: '?a={utc}', days: 3, correction: 1 };
const shift: Catchup = { mode: 'shift', source: null, days: null, correction: null };
const whole = { mode: 'default', source: 'rtsp://h/a?{utc}' } as const;

const precedence: readonly [
  why: string,
  said: Catchup | null,
  own: Part,
  source: Part,
  urls: readonly string[],
  Says,
][] = [
  [
    'the list alone',
    append,
    null,
    null,
    rtsp,
    {
      mode: 'append',
      template: '?a={utc}',
      days: 3,
      correction: 1,
      by: { mode: 'said', days: 'said', correction: 'said', zone: 'default' },
    },
  ],
  [
    'a list that says the mode alone',
    shift,
    null,
    null,
    rtsp,
    {
      mode: 'shift',
      template: null,
      days: 7,
      correction: 0,
      by: { mode: 'said', days: 'default', correction: 'default' },
    },
  ],
  [
    'the source over the list',
    append,
    null,
    whole,
    rtsp,
    { mode: 'default', template: 'rtsp://h/a?{utc}', days: 3, by: { mode: 'source', days: 'said' } },
  ],
  [
    'the channel over the source',
    append,
    { mode: 'xc' },
    whole,
    rtsp,
    { mode: 'xc', template: null, by: { mode: 'override' } },
  ],
  [
    'the template of whoever says the mode',
    append,
    { source: '?b={utc}' },
    null,
    rtsp,
    { mode: 'append', template: '?a={utc}' },
  ],
  [
    'days of the channel, correction of the source',
    append,
    { days: 1 },
    { days: 2, correction: -4 },
    rtsp,
    { days: 1, correction: -4, by: { days: 'override', correction: 'source' } },
  ],
  [
    'a correction of 0 over that of the list',
    append,
    { correction: 0 },
    null,
    rtsp,
    { correction: 0, by: { correction: 'override' } },
  ],
  [
    'zones of both',
    append,
    { zone: 'UTC+8' },
    { zone: 'Asia/Tokyo' },
    rtsp,
    { zone: 'UTC+8', by: { zone: 'override' } },
  ],
  [
    'the zone of the source',
    append,
    { days: 2 },
    { zone: 'Asia/Tokyo' },
    rtsp,
    { zone: 'Asia/Tokyo', by: { zone: 'source' } },
  ],
  [
    'the rest of both',
    append,
    { nearLive: 0, formatted: 'zone' },
    { nearLive: 60, sessions: 2 },
    rtsp,
    { nearLive: 0, formatted: 'zone', sessions: 2 },
  ],
  ['the rest of nobody', append, null, null, rtsp, { nearLive: 0, formatted: 'utc', sessions: null, zone: null }],
  [
    'an address that takes playseek',
    null,
    null,
    null,
    pltv,
    { mode: 'playseek', template: null, days: 7, by: { mode: 'address', days: 'default' } },
  ],
  ['one that stands second', null, null, null, ['udp://239.1.1.1:1', 'http://h/TVOD/1'], { mode: 'playseek' }],
  [
    'days of the source for such an address',
    null,
    null,
    { days: 2 },
    pltv,
    { mode: 'playseek', days: 2, by: { days: 'source' } },
  ],
  ['a list that says how, for such an address', shift, null, null, pltv, { mode: 'shift' }],
  [
    'a source that says how where the list says nothing',
    null,
    null,
    whole,
    ['udp://239.1.1.1:1'],
    { mode: 'default', days: 7 },
  ],
];

for (const [why, said, own, source, urls, says] of precedence) {
  test(`what holds of an archive: ${why}`, () => {
    const found = effectiveCatchup(said, [own && settingOf(own), source && settingOf(source)], urls);
    const { by = {}, ...values } = says;
    assert.ok(found);
    for (const [field, value] of Object.entries(values)) assert.deepEqual(Reflect.get(found, field), value, field);
    for (const [field, value] of Object.entries(by)) assert.equal(Reflect.get(found.said, field), value, field);
  });
}

const none: readonly [why: string, said: Catchup | null, own: Part, source: Part, urls: readonly string[]][] = [
  ['nobody says anything', null, null, null, rtsp],
  ['days without a mode', null, { days: 7 }, { days: 7 }, rtsp],
  ['the channel has none', append, { mode: 'none' }, whole, pltv],
  ['the source has none', append, null, { mode: 'none' }, pltv],
  ['no days by the channel', append, { days: 0 }, null, rtsp],
  ['no days by the list', { ...append, days: 0 }, null, null, rtsp],
  ['PLTV in a query', null, null, null, ['http://h/a?b=/PLTV/1']],
];

for (const [why, said, own, source, urls] of none) {
  test(`there is no archive: ${why}`, () => {
    const settings = [own && settingOf(own), source && settingOf(source)] as const;
    assert.equal(effectiveCatchup(said, settings, urls), null);
    assert.equal(archiveOf(said, settings, urls), null);
  });
}

test('a source that says none is overruled by a channel that says how', () => {
  const settings = [settingOf(whole), settingOf({ mode: 'none' })] as const;
  assert.deepEqual(archiveOf(null, settings, rtsp), { days: 7, scheme: 'rtsp' });
});

const schemes: readonly [said: Catchup, urls: readonly string[], Archive['scheme']][] = [
  [append, ['rtsp://h/1'], 'rtsp'],
  [append, ['udp://239.1.1.1:1', 'rtsp://h/1'], 'rtsp'],
  [append, ['http://h/1', 'rtsp://h/1'], 'http'],
  [append, ['udp://239.1.1.1:1'], 'other'],
  [{ ...append, source: null }, ['rtsp://h/1'], 'other'],
  [{ ...append, mode: 'default', source: 'https://h/{utc}' }, ['rtsp://h/1'], 'https'],
  [{ ...append, mode: 'default', source: 'RTSP://h/{utc}' }, ['udp://239.1.1.1:1'], 'rtsp'],
  [{ ...append, mode: 'default', source: 'rtmp://h/{utc}' }, ['rtsp://h/1'], 'other'],
  [{ ...append, mode: 'default', source: '?utc={utc}' }, ['rtsp://h/1'], 'rtsp'],
  [{ ...append, mode: 'default', source: null }, ['rtsp://h/1'], 'rtsp'],
  [{ ...append, mode: 'xc' }, ['rtsp://h/1', 'http://h/live/u/p/1.ts'], 'http'],
  [{ ...append, mode: 'flussonic-ts' }, ['rtsp://h/1'], 'other'],
  [{ ...append, mode: 'vod' }, ['rtsp://h/1'], 'rtsp'],
];

for (const [said, urls, scheme] of schemes) {
  test(`an archive of ${said.mode} ${said.source} behind ${urls.join(', ')} is reached by ${scheme}`, () => {
    assert.equal(archiveOf(said, [null, null], urls)?.scheme, scheme);
  });
}

test('days are whole in lists, and what is told of an archive is kept where the address is published as it is', () => {
  assert.deepEqual(archiveOf({ ...append, days: 0.5 }, [null, null], rtsp), { days: 1, scheme: 'rtsp' });
  assert.deepEqual(archiveOf(append, [settingOf({ days: 2 }), null], ['http://h/1']), {
    days: 2,
    scheme: 'http',
    said: { mode: 'append', source: '?a={utc}', days: 2, correction: 1 },
  });
  assert.deepEqual(archiveOf(null, [null, null], ['http://h/PLTV/1'])?.said, {
    mode: 'append',
    source: `?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}`,
    days: 7,
    correction: null,
  });
});

test('a setting of an older version has what it did not know as null', () => {
  assert.deepEqual(settingOf({ mode: 'shift', source: null, days: 3, correction: null }), {
    ...{ mode: 'shift', source: null, days: 3, correction: null, zone: null, formatted: null },
    ...{ nearLive: null, sessions: null },
  });
});
