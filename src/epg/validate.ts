/** What is looked at of a guide, be it the one in service or the one that shall take its place. */
export type Summary = {
  /** Programmes from a day ago on. */
  readonly current: number;
  /** Latest end, epoch seconds; null without programmes. */
  readonly until: number | null;
  /** Linked channels that have programmes within the next 24 hours. */
  readonly covered: number;
};

type ChannelFacts = {
  readonly programmes: number;
  readonly first: number | null;
  readonly last: number | null;
};

export type Candidate = {
  readonly summary: Summary;
  /** Of all that it holds, read or not. */
  readonly programmes: number;
  /** Median of all starts, epoch seconds. */
  readonly median: number | null;
  /** How it ends too early, in a sentence; null when it is whole. */
  readonly cutOff: string | null;
};

type Service = {
  /** Of the guide in service; null when there is none. */
  readonly previous: Summary | null;
  /** Channels that are linked to the guide source. */
  readonly linked: number;
  /** Epoch seconds. */
  readonly now: number;
};

const day = 86_400;
/** Seconds that a guide has to reach into the future, unless the one in service reaches no further. */
const horizon = day / 2;
/** Shares of what the guide in service has. */
const leastProgrammes = 0.5;
const leastCovered = 0.8;
/** Days around now that the middle of a guide may lie in. */
const oldest = 30;
const newest = 60;

/** Counts what a guide holds for each channel; programmes are taken to be spread evenly between the first and the last. */
export function summarise(channels: Iterable<ChannelFacts & { readonly isLinked: boolean }>, now: number): Summary {
  const since = now - day;
  let current = 0;
  let until: number | null = null;
  let covered = 0;
  for (const { programmes, first, last, isLinked } of channels) {
    if (first === null || last === null) continue;
    current += first >= since ? programmes : (programmes * Math.max(0, last - since)) / Math.max(1, last - first);
    until = Math.max(until ?? last, last);
    if (isLinked && last > now && first < now + day) covered += 1;
  }
  return { current: Math.round(current), until, covered };
}

/** Why a guide is not to be trusted, in a sentence; null when it is. */
export function objectionTo(guide: Candidate, { previous, linked, now }: Service): string | null {
  const { summary, programmes, median, cutOff } = guide;
  if (cutOff !== null && previous !== null) return cutOff;
  if (programmes === 0) return 'It holds no programmes.';
  const clock = median === null ? null : clockObjection(median, now);
  if (clock !== null) return clock;
  if (previous === null) return null;
  if (summary.current < previous.current * leastProgrammes)
    return `It has ${count(summary.current)} programmes, the one in service ${count(previous.current)}: less than half.`;
  if (ends(summary) < Math.min(now + horizon, ends(previous)))
    return `It ends ${instant(ends(summary))}, the one in service later.`;
  if (summary.covered < previous.covered * leastCovered)
    return `Only ${summary.covered} of ${linked} linked channels have programmes, before ${previous.covered}.`;
  return null;
}

function ends({ until }: Summary): number {
  return until ?? 0;
}

function clockObjection(median: number, now: number): string | null {
  const days = (median - now) / day;
  if (days >= -oldest && days <= newest) return null;
  return `Its programmes are around ${instant(median).slice(0, 10)}: ${distance(Math.abs(days))} off.`;
}

function distance(days: number): string {
  const years = Math.round(days / 365.25);
  if (days >= 330) return years <= 1 ? 'a year' : `${years} years`;
  const months = Math.round(days / 30.4);
  return days < 60 ? `${Math.round(days)} days` : `${months} months`;
}

/** `2024-01-02 06:00 UTC`. */
function instant(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function count(programmes: number): string {
  return programmes.toLocaleString('en');
}
