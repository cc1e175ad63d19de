import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.js';
import { defaultDataDirectory } from '../../src/config/paths.js';
import { catchupModes } from '../../src/model/entry.js';
import { fileWith } from './file-with.js';

/** A list of which nothing is said. */
const plain = (location: string) => ({
  ...{
    location,
    interface: null,
    membership_refresh: null,
    schedule: null,
    headers: {},
    user_agent: null,
    proxy: null,
  },
  ...{ time_zone: null, encoding: null, include_vod: false, publish_direct: false, catchup: null },
});
/** A guide of which nothing is said. */
const plainGuide = (location: string) => ({
  ...{ location, name: null, schedule: null, headers: {}, user_agent: null, proxy: null },
  ...{ time_zone: null, encoding: null, shift: 0 },
});
const nothing = { environment: {}, flags: {} };

test('a flag wins over the environment, and that over the file, key by key', (t) => {
  const file = fileWith(t, 'viewers: 10\nlog: warn\nlisten: [1000]\nstreams: { linger: 1, rejoin: 1 }\n');
  const environment = { WEIR_LOG: 'error', WEIR_LISTEN: '2000 [::1]:2001', WEIR_STREAMS_LINGER: '0.5' };
  const config = loadConfig({ file, environment, flags: { listen: ['127.0.0.1:3000'], log: undefined } });
  assert.equal(config.viewers, 10);
  assert.equal(config.log, 'error');
  assert.deepEqual(config.listen, [{ address: '127.0.0.1', port: 3000 }]);
  assert.deepEqual(config.streams, {
    ...{ no_signal: 4, rejoin: 1, linger: 0.5 },
    ...{ membership_refresh: 0, look_back: 4, look_back_mb: 8 },
  });
});

test('every variable of the environment is read', () => {
  const environment = {
    WEIR_DATA: '/d',
    WEIR_LISTEN: '2000 [::1]:2001 0.0.0.0:2002',
    WEIR_PLAYLISTS: '/a.m3u http://h/b.m3u?x=1,2',
    WEIR_GUIDES: '/g.xml.gz http://h/g.xml',
    WEIR_GUIDE_FROM_LISTS: 'false',
    WEIR_INTERFACE: 'eth0.40',
    WEIR_TIME_ZONE: 'UTC+8',
    WEIR_RTSP_USER_AGENT: 'CTC RTSP 1.0',
    WEIR_RTSP_TRANSPORT: 'udp',
    WEIR_RTSP_NAT: 'stun:stun.example.org',
    WEIR_RTSP_PORTS: '20000-20099',
    WEIR_RTSP_HOSTS: 'RTSP.example.org [2001:db8::1]:8554',
    WEIR_INNER_UPSTREAMS: 'true',
    WEIR_LOG: 'debug',
    WEIR_PUBLIC_URL: 'https://tv.example.org/',
    WEIR_HOSTS: 'TV.example.org other.example',
    WEIR_PROXIES: '10.0.0.1 fd00::/64',
    WEIR_CGNAT_IS_PRIVATE: 'true',
    WEIR_ADMIN_KEY_FILE: '/k',
    WEIR_LIST_FOLDER: '/lists',
    WEIR_VIEWERS: '7',
    WEIR_VIEWER_TCP_CONGESTION: 'bbr',
    WEIR_VIEWER_TCP_UNSENT_KB: '128',
    WEIR_STREAMS_NO_SIGNAL: '8',
    WEIR_STREAMS_REJOIN: '3',
    WEIR_STREAMS_LINGER: '0',
    WEIR_STREAMS_MEMBERSHIP_REFRESH: '10',
    WEIR_STREAMS_LOOK_BACK: '0',
    WEIR_STREAMS_LOOK_BACK_MB: '16',
    WEIR_SERVICE_HOST: 'not ours',
  };
  assert.deepEqual(loadConfig({ environment, flags: {} }), {
    data: '/d',
    listen: [
      { address: null, port: 2000 },
      { address: '::1', port: 2001 },
      { address: '0.0.0.0', port: 2002 },
    ],
    playlists: ['/a.m3u', 'http://h/b.m3u?x=1,2'].map(plain),
    guides: ['/g.xml.gz', 'http://h/g.xml'].map(plainGuide),
    guide_from_lists: false,
    interface: 'eth0.40',
    time_zone: 'UTC+8',
    rtsp: {
      ...{ user_agent: 'CTC RTSP 1.0', transport: 'udp', nat: { stun: { address: 'stun.example.org', port: 3478 } } },
      ports: { least: 20_000, most: 20_099 },
      hosts: [
        { address: 'rtsp.example.org', port: 554 },
        { address: '2001:db8::1', port: 8554 },
      ],
    },
    inner_upstreams: true,
    log: 'debug',
    public_url: 'https://tv.example.org',
    hosts: ['tv.example.org', 'other.example'],
    proxies: ['10.0.0.1', 'fd00::/64'],
    cgnat_is_private: true,
    admin_key_file: '/k',
    list_folder: '/lists',
    viewers: 7,
    viewer_tcp: { congestion: 'bbr', unsent_kb: 128 },
    streams: { no_signal: 8, rejoin: 3, linger: 0, membership_refresh: 10, look_back: 0, look_back_mb: 16 },
  });
});

test('relative paths of a file start at its folder, those of flags at the working directory', (t) => {
  const file = fileWith(t, 'data: here\nadmin_key_file: ../key\nplaylists: [a.m3u, "https://h/b.m3u", /c.m3u]\n');
  const folder = join(file, '..');
  const config = loadConfig({ file, environment: {}, flags: {} });
  assert.equal(config.data, join(folder, 'here'));
  assert.equal(config.admin_key_file, join(folder, '..', 'key'));
  assert.deepEqual(config.playlists, [join(folder, 'a.m3u'), 'https://h/b.m3u', '/c.m3u'].map(plain));
  assert.equal(loadConfig({ file, environment: {}, flags: { data: 'there' } }).data, join(process.cwd(), 'there'));
});

test('a list may name its interface and how often membership is reported, its path starts at the folder as well', (t) => {
  const file = fileWith(
    t,
    'playlists:\n  - location: a.m3u\n    interface: eth1,eth2\n  - { location: "https://h/b.m3u", membership_refresh: 0.5 }\n  - c.m3u\n',
  );
  const folder = join(file, '..');
  assert.deepEqual(loadConfig({ file, ...nothing }).playlists, [
    { ...plain(join(folder, 'a.m3u')), interface: 'eth1,eth2' },
    { ...plain('https://h/b.m3u'), membership_refresh: 0.5 },
    plain(join(folder, 'c.m3u')),
  ]);
});

test('a guide is a path that starts at the folder, an address, or a set with a shift in seconds or hours and minutes', (t) => {
  const shifts = ['-5h30m', '90m', '"+1h"', '-19800', '"3600"', '0'];
  const file = fileWith(
    t,
    `guides:\n  - a.xml\n  - { location: "https://h/b.xml.gz", time_zone: Asia/Kolkata, encoding: koi8-r }\n${shifts
      .map((shift, n) => `  - { location: /${n}.xml, shift: ${shift} }\n`)
      .join('')}`,
  );
  assert.deepEqual(loadConfig({ file, ...nothing }).guides, [
    plainGuide(join(file, '..', 'a.xml')),
    { ...plainGuide('https://h/b.xml.gz'), time_zone: 'Asia/Kolkata', encoding: 'koi8-r' },
    ...[-19_800, 5400, 3600, -19_800, 3600, 0].map((shift, n) => ({ ...plainGuide(`/${n}.xml`), shift })),
  ]);
});

test('what a list says of its archives is taken as the store has it, with every mode that lists have', (t) => {
  const modes = [...catchupModes, 'none'];
  const file = fileWith(
    t,
    `playlists:\n${modes
      .map((mode) => `  - { location: /a.m3u, catchup: { mode: ${mode}, template: "t", near_live: 60, days: 0.5 } }\n`)
      .join('')}`,
  );
  const settings = loadConfig({ file, ...nothing }).playlists.map(({ catchup }) => catchup);
  const rest = { correction: null, zone: null, formatted: null, sessions: null };
  assert.deepEqual(
    settings,
    modes.map((mode) => ({ mode, template: 't', days: 0.5, near_live: 60, ...rest })),
  );
});

test('groups of keys are merged key by key, each with its own', (t) => {
  const file = fileWith(t, 'viewer_tcp: { congestion: bbr }\nstreams: { linger: 1 }\n');
  const { viewer_tcp: tcp, streams } = loadConfig({
    file,
    environment: { WEIR_VIEWER_TCP_UNSENT_KB: '64', WEIR_STREAMS_MEMBERSHIP_REFRESH: '9' },
    flags: {},
  });
  assert.deepEqual(tcp, { congestion: 'bbr', unsent_kb: 64 });
  assert.deepEqual([streams.linger, streams.membership_refresh], [1, 9]);
});

test('the file may be named by the environment, and a flag names another', (t) => {
  const [one, two] = [fileWith(t, 'viewers: 1\n'), fileWith(t, 'viewers: 2\n')];
  assert.equal(loadConfig({ environment: { WEIR_CONFIG: one }, flags: {} }).viewers, 1);
  assert.equal(loadConfig({ file: two, environment: { WEIR_CONFIG: one }, flags: {} }).viewers, 2);
});

test('an empty file is all defaults', (t) => {
  assert.deepEqual(loadConfig({ file: fileWith(t, '# nothing\n'), ...nothing }), loadConfig(nothing));
});

test('what was loaded cannot be changed', () => {
  const config = loadConfig(nothing);
  for (const value of [config, config.listen, config.listen[0], config.streams, config.hosts])
    assert.ok(Object.isFrozen(value));
});

test('the data directory is that of XDG, else in the home directory, and for root in /var/lib', () => {
  assert.equal(defaultDataDirectory({ XDG_STATE_HOME: '/state' }), '/state/weir');
  assert.match(defaultDataDirectory({}), process.getuid?.() === 0 ? /^\/var\/lib\/weir$/ : /\/\.local\/state\/weir$/);
  assert.equal(defaultDataDirectory({ XDG_STATE_HOME: 'relative' }), defaultDataDirectory({}));
});
