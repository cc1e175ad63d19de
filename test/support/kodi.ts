import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPicture, type Thumbnail } from './encoder.js';
import { environment, type Program, startProgram, startScreen, startSound } from './kodi-program.js';
import { makeTempDir } from './temp.js';
import { until } from './until.js';

type Owner = { after(undo: () => Promise<void>): void };
type Medium = 'tv' | 'radio';

/** A channel as Kodi lists it. */
export type KodiChannel = {
  readonly id: number;
  readonly name: string;
  /** `7`, or `7.10` with the sub-channel number that it read. */
  readonly number: string;
  /** The address of its picture; of a channel without one Kodi makes something of the name. */
  readonly icon: string;
};

/** A programme of its guide; epoch seconds. */
export type KodiProgramme = { readonly title: string; readonly start: number; readonly stop: number };

/** What Kodi decodes, and how many seconds of it it has played. */
export type KodiPlayer = {
  readonly video: string;
  readonly height: number;
  readonly audio: string;
  readonly time: number;
};

const port = 8080;
const addOns = ['inputstream.ffmpegdirect', 'pvr.iptvsimple'];
/** Milliseconds: many times what an idle machine takes. */
const patience = {
  ...{ answer: 20_000, start: 60_000, channels: 60_000, picture: 60_000, end: 15_000 },
  // It saves its guide once a minute.
  saved: 150_000,
};
const ended = Symbol('ended');

/**
 * Starts a real Kodi with IPTV Simple, with a home, a screen and loudspeakers of its own, and waits until it has loaded a
 * list. It ends with its owner, also when it breaks down. Its remote control has a fixed port, and Kodi opens that only
 * where there is another network than loopback: to be called in a private network with a street.
 * @param playlist the address of the list
 */
export async function startKodi(owner: Owner, playlist: string): Promise<Kodi> {
  const home = makeTempDir();
  const undo: (() => void | Promise<void>)[] = [home.remove];
  owner.after(async () => {
    for (const step of undo.reverse()) await step();
  });
  writeSettings(home.path, playlist);
  const { display, program } = await startScreen('640x360');
  undo.push(() => program.terminate());
  const sound = await startSound(home.path);
  undo.push(() => sound.program.terminate());
  const env = { ...environment(home.path), DISPLAY: display, PULSE_SERVER: sound.server, LIBGL_ALWAYS_SOFTWARE: '1' };
  const kodi = new Kodi(await startProgram('kodi', ['--standalone'], env), display, home.path);
  undo.push(() => kodi.stop());
  await kodi.load();
  return kodi;
}

export class Kodi {
  readonly #program: Program;
  readonly #display: string;
  readonly #home: string;

  constructor(program: Program, display: string, home: string) {
    this.#program = program;
    this.#display = display;
    this.#home = home;
  }

  /** Switches the add-ons on, which are off at first, and settles when they have loaded the list. */
  async load(): Promise<void> {
    await this.#see('Kodi to answer', () => call('JSONRPC.Ping'), patience.start);
    for (const addonid of addOns) await call('Addons.SetAddonEnabled', { addonid, enabled: true });
    const loaded = () => call<{ available: boolean }>('PVR.GetProperties', { properties: ['available'] });
    await this.#see('Kodi to load the list', async () => (await loaded()).available, patience.channels);
  }

  /** All channels of a medium, in Kodi's order. */
  async channels(medium: Medium): Promise<KodiChannel[]> {
    return await channelsOf(`all${medium}`);
  }

  /** The groups of a medium that the list names, each with the names of its channels. */
  async groups(medium: Medium): Promise<Record<string, string[]>> {
    const { channelgroups } = await call<RawGroups>('PVR.GetChannelGroups', { channeltype: medium });
    const groups: Record<string, string[]> = {};
    for (const { channelgroupid, label } of channelgroups) {
      if (label === 'All channels') continue;
      groups[label] = (await channelsOf(channelgroupid)).map(({ name }) => name);
    }
    return groups;
  }

  /** What its guide says is on now, by name of the channel; null where it knows nothing. */
  async onNow(medium: Medium): Promise<Map<string, string | null>> {
    const asked = { channelgroupid: `all${medium}`, properties: ['broadcastnow'] };
    const { channels } = await call<RawNow>('PVR.GetChannels', asked);
    return new Map(channels.map(({ label, broadcastnow }) => [label, broadcastnow?.title ?? null]));
  }

  /** All that its guide has of a channel. */
  async programmes({ id }: KodiChannel): Promise<KodiProgramme[]> {
    const asked = { channelid: id, properties: ['title', 'starttime', 'endtime'] };
    const { broadcasts } = await call<RawBroadcasts>('PVR.GetBroadcasts', asked);
    return (broadcasts ?? []).map(({ title, starttime, endtime }) => {
      return { title, start: secondsSince1970(starttime), stop: secondsSince1970(endtime) };
    });
  }

  /** Opens a channel and waits until it has played for two seconds. */
  async play({ id, name }: KodiChannel): Promise<KodiPlayer> {
    return await this.#open({ channelid: id }, name);
  }

  /** The same with a programme of a channel that is over, once Kodi has given it the number that it is asked for by. */
  async playPast({ id, name }: KodiChannel, start: number): Promise<KodiPlayer> {
    const asked = { channelid: id, properties: ['starttime'] };
    const numbered = async () => {
      const { broadcasts } = await call<RawBroadcasts>('PVR.GetBroadcasts', asked);
      return broadcasts?.find(({ starttime }) => secondsSince1970(starttime) === start)?.broadcastid;
    };
    const broadcastid = await this.#see(`Kodi to save what ${name} had at ${start}`, numbered, patience.saved);
    return await this.#open({ broadcastid }, `the past of ${name}`);
  }

  async #open(item: object, name: string): Promise<KodiPlayer> {
    await call('Player.Open', { item });
    let first: number | undefined;
    const played = async () => {
      const player = await nowPlaying();
      first ??= player.time;
      return player.time >= first + 2 ? player : undefined;
    };
    return await this.#see(`Kodi to play ${name}`, played, patience.picture);
  }

  /** What is on its screen, or nothing yet while a question hides it. */
  async picture(): Promise<Thumbnail | undefined> {
    return (await decline()) ? undefined : await firstPicture(this.#display, ['-f', 'x11grab']);
  }

  /** Asks it to quit, and ends it when it does not. */
  async stop(): Promise<void> {
    // One that has broken down does not answer.
    await call('Application.Quit').catch(() => undefined);
    await this.#program.end(patience.end);
  }

  /** Waits for a fact for as long as it runs; when it does not come, the error ends with what its log says of errors. */
  async #see<T>(what: string, fact: () => Promise<T>, within: number) {
    const look = async () => (this.#program.running ? await fact() : ended);
    try {
      const seen = await until(what, look, { within });
      if (seen === ended) throw new Error(`Kodi ended instead of: ${what}`);
      return seen as Exclude<typeof seen, typeof ended>;
    } catch (error) {
      throw new Error(`${String(error)}\n${this.#complaints()}`, { cause: error });
    }
  }

  #complaints(): string {
    const log = join(this.#home, '.kodi/temp/kodi.log');
    if (!existsSync(log)) return 'It has written no log.';
    const lines = readFileSync(log, 'utf8').split('\n');
    return (
      lines
        // Kodi misses fonts on every machine.
        .filter((line) => / (error|warning) /.test(line) && !line.includes('LoadTTF'))
        .slice(-20)
        .join('\n')
    );
  }
}

type RawGroups = { readonly channelgroups: readonly { readonly channelgroupid: number; readonly label: string }[] };
type RawChannels = {
  readonly channels?: readonly {
    readonly channelid: number;
    readonly label: string;
    readonly channelnumber: number;
    readonly subchannelnumber: number;
    readonly icon: string;
  }[];
};
type RawNow = {
  readonly channels: readonly { readonly label: string; readonly broadcastnow?: { readonly title: string } | null }[];
};
type RawBroadcasts = {
  readonly broadcasts?: readonly {
    /** Missing until the guide is saved. */
    readonly broadcastid?: number;
    readonly title: string;
    readonly starttime: string;
    readonly endtime: string;
  }[];
};
type RawPlayer = {
  readonly currentvideostream: { readonly codec: string; readonly height: number };
  readonly currentaudiostream: { readonly codec: string };
};

async function channelsOf(group: number | string): Promise<KodiChannel[]> {
  const properties = ['channelnumber', 'subchannelnumber', 'icon'];
  const { channels } = await call<RawChannels>('PVR.GetChannels', { channelgroupid: group, properties });
  return (channels ?? []).map(({ channelid: id, label: name, channelnumber, subchannelnumber, icon }) => ({
    id,
    name,
    number: subchannelnumber === 0 ? `${channelnumber}` : `${channelnumber}.${subchannelnumber}`,
    icon,
  }));
}

/** Whether a question stands in front of everything, as at the start about each add-on that was found; says no to it. */
async function decline(): Promise<boolean> {
  const modal = 'System.HasActiveModalDialog';
  const { [modal]: asks = true } = await call<Record<string, boolean>>('XBMC.GetInfoBooleans', { booleans: [modal] });
  if (asks) await call('Input.Back');
  return asks;
}

async function nowPlaying(): Promise<KodiPlayer> {
  const [player] = await call<{ playerid: number }[]>('Player.GetActivePlayers');
  if (player === undefined) throw new Error('nothing plays');
  const properties = ['currentvideostream', 'currentaudiostream'];
  const raw = await call<RawPlayer>('Player.GetProperties', { playerid: player.playerid, properties });
  // The property `time` of a channel is the wall clock's: how long its programme has been on.
  const labels = await call<Record<string, string>>('XBMC.GetInfoLabels', { labels: ['Player.Time'] });
  return {
    video: raw.currentvideostream.codec,
    height: raw.currentvideostream.height,
    audio: raw.currentaudiostream.codec,
    time: secondsOf(labels['Player.Time'] ?? ''),
  };
}

/** Of `2024-01-31 12:00:00`, which is UTC. */
function secondsSince1970(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`) / 1000;
}

/** Of `mm:ss` or `hh:mm:ss`. */
function secondsOf(clock: string): number {
  return clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** A method of Kodi's JSON-RPC. */
async function call<T = unknown>(method: string, params: object = {}): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(patience.answer),
  });
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Kodi takes its own settings only when the lists of resolutions and views are there, too. */
function writeSettings(home: string, playlist: string): void {
  const userData = join(home, '.kodi/userdata');
  const addOn = join(userData, 'addon_data/pvr.iptvsimple');
  mkdirSync(addOn, { recursive: true });
  const own = {
    'services.webserver': 'true',
    'services.webserverport': `${port}`,
    'services.webserverauthentication': 'false',
    'general.addonupdates': '2',
    'lookandfeel.enablerssfeeds': 'false',
    // Else it numbers the channels itself, from 1.
    'pvrmanager.usebackendchannelnumbers': 'true',
  };
  // Unless it is told to, it offers nothing that is over.
  const ofAddOn = { m3uPathType: '1', m3uUrl: playlist, m3uCache: 'false', epgCache: 'false', catchupEnabled: 'true' };
  writeFileSync(join(userData, 'guisettings.xml'), settings(own, '<resolutions/><viewstates/>'));
  writeFileSync(join(addOn, 'settings.xml'), settings(ofAddOn));
}

function settings(values: Readonly<Record<string, string>>, more = ''): string {
  const lines = Object.entries(values).map(
    ([id, value]) => `<setting id="${id}">${value.replaceAll('&', '&amp;')}</setting>`,
  );
  return `<settings version="2">${lines.join('')}${more}</settings>\n`;
}
