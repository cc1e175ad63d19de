import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.js';
import { fileWith } from './file-with.js';

const nothing = { environment: {}, flags: {} };

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
    /line 3, "playlists\.0\.interval": there is no such key\. The keys are location, interface, membership_refresh, schedule, .*publish_direct, catchup\.$/,
  ],
  ...(
    [
      ['mode: magic', /"playlists\.0\.catchup\.mode": .*"none"/],
      ['template: "?a={utc}"', /"playlists\.0\.catchup\.mode": say how the template is meant/],
      ['mode: append', /"playlists\.0\.catchup\.template": this mode needs a template\.$/],
      ['zone: Mars/Base', /"playlists\.0\.catchup\.zone": write the IANA name/],
      [
        'day: 7',
        /"playlists\.0\.catchup\.day": there is no such key\. The keys are mode, template, days, .*sessions\.$/,
      ],
    ] as const
  ).map(([line, says]): readonly [string, RegExp] => [
    `playlists:\n  - location: a.m3u\n    catchup: { ${line} }\n`,
    says,
  ]),
  ['time_zone: Mars/Base\n', /"time_zone": write the IANA name of a time zone, such as Europe\/Vienna, or UTC\+8\.$/],
  ['rtsp: { nat: yes-please }\n', /"rtsp\.nat": write auto, off or stun:host\[:port\]\.$/],
  ['rtsp: { ports: 9000-80 }\n', /"rtsp\.ports": write two ports from 1024 to 65535, such as 10000-19999\.$/],
  ['rtsp: { hosts: ["rtsp://h/"] }\n', /"rtsp\.hosts\.0": write host\[:port\], an IPv6 address in brackets\.$/],
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
