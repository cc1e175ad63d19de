import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.js';
import { defaultDataDirectory } from '../../src/config/paths.js';
import { tempDir } from '../support/temp.js';

type Owner = { after(undo: () => void): void };

function fileWith(owner: Owner, yaml: string): string {
  const file = join(tempDir(owner), 'weir.yaml');
  writeFileSync(file, yaml);
  return file;
}

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
  ...{ time_zone: null, encoding: null, include_vod: false, publish_direct: false },
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

const wrongFiles: readonly (readonly [yaml: string, says: RegExp])[] = [
  [
    'viewers: 10\nviewer: 5\n',
    /weir\.yaml, line 2, "viewer": there is no such key\. The keys are data, listen, .*streams\.$/,
  ],
  [
    'streams:\n  linger: 1\n  silence: 3\n',
    /weir\.yaml, line 3, "streams\.silence": there is no such key\. The keys are no_signal, rejoin, linger, membership_refresh, look_back, look_back_mb\.$/,
  ],
  ['\nviewers: many\n', /weir\.yaml, line 2, "viewers": .*number/],
  ['viewers: 0\n', /weir\.yaml, line 1, "viewers": .*1/],
  ['viewers: 2.5\n', /"viewers": .*int/],
  ['log: loud\n', /line 1, "log": .*"error"\|"warn"\|"info"\|"debug"/],
  ['listen:\n  - 5140\n  - host:5140\n', /line 3, "listen\.1": write \[ADDRESS:\]PORT/],
  ['listen: [65536]\n', /"listen\.0": write \[ADDRESS:\]PORT.*65535/],
  ['listen: [::1:5140]\n', /"listen\.0": write .*IPv6 in brackets/],
  ['listen: []\n', /line 1, "listen": /],
  ['listen: 5140\n', /line 1, "listen": .*array/],
  ['public_url: tv.example.org\n', /"public_url": write an address such as https/],
  ['public_url: https://u:p@tv.example.org\n', /"public_url": write it without user/],
  ['hosts: ["https://tv.example.org"]\n', /"hosts\.0": write a host name/],
  ['proxies: [10.0.0.0/40]\n', /"proxies\.0": write an address or a network/],
  ['cgnat_is_private: "yes"\n', /"cgnat_is_private": .*boolean/],
  ['interface: a/b\n', /"interface": write the name of a network interface/],
  ['streams: { rejoin: 4 }\n', /line 1, "streams\.rejoin": write less than no_signal/],
  ['streams: 5\n', /line 1, "streams": /],
  ['playlists:\n  - a.m3u\n  - 5\n', /line 3, "playlists\.1": write a path, an address, or a set of location and what/],
  [
    'playlists:\n  - a.m3u\n  - interface: eth1\n',
    /line 3, "playlists\.1\.location": write a path or an http\(s\) address\.$/,
  ],
  [
    'playlists:\n  - location: a.m3u\n    interface: a/b\n',
    /line 3, "playlists\.0\.interface": write the name of a network/,
  ],
  [
    'playlists:\n  - location: a.m3u\n    schedule: sometimes\n',
    /line 3, "playlists\.0\.schedule": "sometimes" is no schedule: /,
  ],
  [
    'playlists:\n  - location: a.m3u\n    schedule: 5s\n',
    /line 3, "playlists\.0\.schedule": "5s" is not between 60s and 30d\.$/,
  ],
  [
    'playlists:\n  - location: a.m3u\n    time_zone: Mars/Base\n',
    /line 3, "playlists\.0\.time_zone": write the IANA name/,
  ],
  [
    'playlists:\n  - location: a.m3u\n    proxy: ftp://h\n',
    /line 3, "playlists\.0\.proxy": write an http, https or socks5/,
  ],
  ['playlists:\n  - location: a.m3u\n    membership_refresh: -1\n', /line 3, "playlists\.0\.membership_refresh": .*0/],
  [
    'playlists:\n  - location: a.m3u\n    interval: 1\n',
    /line 3, "playlists\.0\.interval": there is no such key\. The keys are location, interface, membership_refresh, schedule, .*publish_direct\.$/,
  ],
  ['guides:\n  - g.xml\n  - 5\n', /line 3, "guides\.1": write a path, an address, or a set of location and what/],
  ...['1.5', 'soon', '49h', '""', '"-"', '5h30'].map((shift): readonly [string, RegExp] => [
    `guides:\n  - location: g.xml\n    shift: ${shift}\n`,
    /line 3, "guides\.0\.shift": write seconds, or hours and minutes such as -5h30m or 90m, 48h at most\.$/,
  ]),
  [
    'guides:\n  - location: g.xml\n    encoding: morse\n',
    /line 3, "guides\.0\.encoding": write the name of an encoding, such as windows-1251\.$/,
  ],
  [
    'guides:\n  - location: g.xml\n    include_vod: true\n',
    /line 3, "guides\.0\.include_vod": there is no such key\. The keys are location, name, schedule, .*shift\.$/,
  ],
  ['guide_from_lists: maybe\n', /line 1, "guide_from_lists": .*boolean/],
  ['viewer_tcp: { congestion: "b br" }\n', /"viewer_tcp\.congestion": write the name of a congestion control/],
  ['viewer_tcp: { unsent_kb: 0 }\n', /"viewer_tcp\.unsent_kb": .*4/],
  ['viewer_tcp: { unsent: 1 }\n', /"viewer_tcp\.unsent": there is no such key\. The keys are congestion, unsent_kb\.$/],
  ['- a\n', /weir\.yaml, line 1: this is not a set of keys/],
  ['a: b: c\n', /weir\.yaml, line 1: this is not YAML/],
  ['log: info\nlog: warn\n', /weir\.yaml, line 2: this is not YAML: .*unique/],
  ['log: [info\n', /weir\.yaml, line \d: this is not YAML/],
];

for (const [yaml, says] of wrongFiles) {
  test(`${JSON.stringify(yaml)} is refused with one line that says where and what`, (t) => {
    assert.throws(() => loadConfig({ file: fileWith(t, yaml), ...nothing }), { code: 'invalid', message: says });
    assert.throws(() => loadConfig({ file: fileWith(t, yaml), ...nothing }), { message: /^[^\n]*$/ });
  });
}

test('a wrong value is blamed on where it stands: environment, flag or file', (t) => {
  const file = fileWith(t, 'viewers: 5\n');
  assert.throws(() => loadConfig({ file, environment: { WEIR_VIEWERS: 'x' }, flags: {} }), {
    message: /^WEIR_VIEWERS in the environment: /,
  });
  assert.throws(() => loadConfig({ environment: { WEIR_STREAMS_LINGER: '-1' }, flags: {} }), {
    message: /^WEIR_STREAMS_LINGER in the environment: /,
  });
  assert.throws(() => loadConfig({ file, environment: {}, flags: { interface: 'a b' } }), {
    message: /^--interface: /,
  });
  assert.throws(() => loadConfig({ file, environment: {}, flags: { playlists: [''] } }), { message: /^--playlist: / });
  assert.throws(() => loadConfig({ file, environment: {}, flags: { guides: [''] } }), { message: /^--guide: / });
});

test('a file that is not there is named', () => {
  assert.throws(() => loadConfig({ file: '/nowhere/weir.yaml', ...nothing }), {
    code: 'invalid',
    message: /^The configuration file cannot be read: .*\/nowhere\/weir\.yaml/,
  });
});
