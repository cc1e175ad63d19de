import { fileURLToPath } from 'node:url';

export type DemoChannel = {
  readonly name: string;
  /** The channel's id in a guide. */
  readonly tvgId: string;
  readonly file: string;
  readonly group: string;
  readonly port: number;
};

/** Administratively scoped groups (RFC 2365 §6.1) that nothing else is likely to use. */
export const channels: readonly DemoChannel[] = [
  { name: 'Bars', tvgId: 'bars.demo', file: sample('bars.mpegts'), group: '239.255.81.1', port: 5004 },
  { name: 'Clock', tvgId: 'clock.demo', file: sample('clock.mpegts'), group: '239.255.81.2', port: 5004 },
  { name: 'Fractal', tvgId: 'fractal.demo', file: sample('fractal.mpegts'), group: '239.255.81.3', port: 5004 },
];

/** The list that Weir imports. */
export function demoPlaylist(): string {
  const lines = channels.flatMap(({ name, tvgId, group, port }) => [
    `#EXTINF:-1 tvg-id="${tvgId}" group-title="Demo",${name}`,
    `rtp://@${group}:${port}`,
  ]);
  return `${['#EXTM3U', ...lines].join('\n')}\n`;
}

/** A file of the repository, seen from dist/demo. */
function sample(name: string): string {
  return fileURLToPath(new URL(`../../demo/samples/${name}`, import.meta.url));
}
