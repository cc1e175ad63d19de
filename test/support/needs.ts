import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { xmltvDtd } from './xmllint.js';

/** A `python3` in front of the system's may know nothing of its packages. */
const importGst = `import gi
gi.require_version('GstRtspServer', '1.0')
from gi.repository import GstRtspServer, Gst
Gst.init(None)
assert Gst.ElementFactory.find('rtpmp2tpay') and Gst.ElementFactory.find('tsparse')`;

const probes = {
  root: () => process.getuid?.() === 0,
  namespaces: () => spawnSync('unshare', [...userFlags(), '--net', '--mount', '--pid', '--fork', 'true']).status === 0,
  ip: () => found('ip'),
  ffmpeg: () => found('ffmpeg') && found('ffprobe'),
  vlc: () => found('cvlc'),
  mpv: () => found('mpv'),
  'gst-rtsp': () => spawnSync('/usr/bin/python3', ['-c', importGst], { stdio: 'ignore' }).status === 0,
  kodi: () => found('kodi') && ['pvr.iptvsimple', 'inputstream.ffmpegdirect'].every(isKodiAddOn),
  xvfb: () => found('Xvfb'),
  pulseaudio: () => found('pulseaudio'),
  setpriv: () => found('setpriv'),
  tcpdump: () => found('tcpdump'),
  ss: () => found('ss'),
  compiler: () => found('make') && found('g++'),
  xmllint: () => found('xmllint'),
  xmltv: () => existsSync(xmltvDtd),
} as const;

export type Need = keyof typeof probes;

/** What `unshare` needs to be told so that an ordinary user may make namespaces too. */
export function userFlags(): string[] {
  return process.getuid?.() === 0 ? [] : ['--map-root-user'];
}

/**
 * The `skip` option of a test that needs these: false when all are here, else the reason to show.
 * @throws when something is missing and CI=true, where a skip must not pass for a success.
 */
export function needs(...wanted: Need[]): string | false {
  const missing = wanted.filter((need) => !probes[need]());
  if (missing.length === 0) return false;
  const reason = `needs ${missing.join(', ')}, not found on this machine`;
  const { CI } = process.env;
  if (CI === 'true') throw new Error(reason);
  return reason;
}

function isKodiAddOn(id: string): boolean {
  return existsSync(`/usr/share/kodi/addons/${id}`);
}

function found(command: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
