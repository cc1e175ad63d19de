import { z } from 'zod';
import { isZone } from '../../lib/zone-clock.js';
import type { CatchupSetting, ChannelCatchup } from '../../model/archive.js';
import { catchupModes } from '../../model/entry.js';
import { programmeSchema } from './guide-programme.js';
import type { Operations } from './operation.js';
import { idParams, line, named, strict } from './shapes.js';
import { wishSchema } from './stream.js';

const formatted = z.enum(['utc', 'zone']);

const setting = {
  mode: z
    .enum([...catchupModes, 'none'])
    .nullable()
    .default(null)
    .describe('`none` is no archive.'),
  source: line(8192).nullable().default(null).describe('The template of the address; goes with the mode.'),
  days: z.number().min(0).max(365).nullable().default(null).describe('How far it reaches back; 0 is no archive.'),
  correction: z.number().min(-24).max(24).nullable().default(null).describe('Hours taken from the times in addresses.'),
  zone: line(64)
    .refine(isZone, 'This is no time zone. Write it such as Europe/Berlin or UTC+8.')
    .nullable()
    .default(null)
    .describe('What times in addresses are written in: an IANA name or `UTC+8`.'),
  formatted: formatted.nullable().default(null).describe('What `{utc:FORMAT}` and its like are written in.'),
  nearLive: z
    .int()
    .min(0)
    .max(86_400)
    .nullable()
    .default(null)
    .describe('What begins no more than so many seconds ago is asked for by `Range: clock`.'),
  sessions: z.int().min(1).max(1000).nullable().default(null).describe('How many the provider allows at one time.'),
};

/** What is null follows what is below: the source, else the entry, else its list. */
export const catchupSettingSchema = named(
  'CatchupSetting',
  strict(setting)
    .refine(({ mode, source }) => source === null || mode !== null, {
      path: ['mode'],
      message: 'A template goes with a mode: default for a whole address, append for what is put behind it.',
    })
    .refine(({ mode, source }) => source !== null || (mode !== 'append' && mode !== 'vod'), {
      path: ['source'],
      message: 'This mode needs a template.',
    }),
) satisfies z.ZodType<CatchupSetting>;

const instant = z.number().min(0).describe('Epoch seconds.');
const asked = z.coerce.number().min(0).max(1e11);
const origin = z.enum(['override', 'source', 'entry', 'list', 'address', 'default']);

type Shown = Omit<ChannelCatchup, 'channel' | 'urls' | 'headers' | 'interface'>;

const shown = {
  mode: z.enum([...catchupModes, 'playseek']).describe('`playseek` is told from the address alone.'),
  template: z.string().nullable(),
  days: z.number().describe('How far it reaches back.'),
  correction: z.number().describe('Hours taken from the times in addresses.'),
  zone: z.string().nullable().describe('Null is the zone of the household.'),
  formatted,
  nearLive: z.int().min(0).describe('Seconds; 0 is never.'),
  sessions: z.int().nullable(),
  said: strict({ mode: origin, days: origin, correction: origin, zone: origin }).describe('Who says it.'),
};

export const channelCatchupSchema = named(
  'ChannelCatchup',
  strict({
    ...shown,
    wish: wishSchema.nullable(),
    now: instant,
    url: z.string().nullable().describe('What the provider would be asked; null without a start or with a problem.'),
    range: z.string().nullable().describe('The field `Range` of the request, or null.'),
    headers: z.array(z.string()).describe('Names of the header fields that go with it.'),
    unknown: z.array(z.string()).describe('Placeholders that nobody knows: they stay as they are.'),
    problem: z.string().nullable().describe('Why there is no address.'),
    programme: programmeSchema
      .nullable()
      .describe(
        'What begins within 5 minutes of the start, else what is on then. The address has the start as it was asked for.',
      ),
  }),
) satisfies z.ZodType<Shown>;

export const catchupOperations = {
  getChannelCatchup: {
    method: 'get',
    path: '/channels/{id}/catchup',
    summary: 'Shows how the archive of a channel is asked for, and the address that a part of the past would have',
    scope: 'admin',
    params: idParams,
    query: strict({
      start: asked.exactOptional().describe('Epoch seconds; without it only what holds is shown.'),
      end: asked.exactOptional().describe('Epoch seconds; open without it.'),
      now: asked.exactOptional().describe('Epoch seconds that stand for now.'),
    }),
    answer: { status: 200, description: 'What holds, and the address.', body: channelCatchupSchema },
  },
} as const satisfies Operations;
