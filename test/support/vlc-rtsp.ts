import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from './gst-rtsp.js';
import { until } from './until.js';

type Owner = { after(undo: () => void | Promise<void>): void };

/**
 * VLC as a server of a recording, from its beginning on and round and round; it refuses TCP (461). Resolves with its address. Its
 * owner's files have to be readable for everybody: VLC refuses to run as root.
 */
export async function startVlcRtsp(owner: Owner, recording: string): Promise<string> {
  const port = await freePort();
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const out = `#rtp{sdp=rtsp://127.0.0.1:${port}/x,mux=ts}`;
  const vlc = ['cvlc', '-I', 'dummy', '--no-video-title-show', '--loop', '--sout-keep', recording, '--sout', out];
  const [command = '', ...args] = [...as, 'env', 'HOME=/nonexistent', ...vlc];
  const child = spawn(command, args, { stdio: 'ignore', cwd: '/' });
  owner.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  await until('VLC to serve', () => described(port), { within: 30_000 });
  return `rtsp://127.0.0.1:${port}/x`;
}

/** Whether there is an answer other than 404, which it gives until the recording plays. */
async function described(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(`DESCRIBE rtsp://127.0.0.1:${port}/x RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString('latin1').startsWith('RTSP/1.0 200');
  } finally {
    socket.destroy();
  }
}
