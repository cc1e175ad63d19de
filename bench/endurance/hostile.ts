import { connect, type Socket } from 'node:net';

/** A program of its own: opens connections that never end by themselves, and tells how many are open whenever that changes. */
export type HostileOptions = {
  /**
   * `silent` says nothing · `slow` sends a byte of a head every second · `fickle` does so when it has had an answer ·
   * `deaf` asks for `path` and reads nothing.
   */
  readonly kind: 'silent' | 'slow' | 'fickle' | 'deaf';
  readonly count: number;
  readonly port: number;
  readonly path: string;
};
export type HostileNews = {
  /** Connections made so far, and those of them that the server has ended or broken off. */
  readonly made: number;
  readonly over: number;
};

const options = JSON.parse(process.argv[2] ?? '{}') as HostileOptions;
const head = `GET ${options.path} HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\nX-Slow: ${'y'.repeat(4096)}`;
/** Connections under way at one time: more than the server's queue holds would have to be tried again. */
const together = 50;
let begun = 0;
let made = 0;
let over = 0;

process.on('disconnect', () => process.exit(0));
for (let index = 0; index < Math.min(together, options.count); index += 1) open();
setInterval(() => process.send?.({ made, over } satisfies HostileNews), 100);

function open(): void {
  begun += 1;
  // Half open: that the server ends is no reason for a hostile client to end.
  const socket = connect({ port: options.port, host: '127.0.0.1', allowHalfOpen: true });
  let stop: () => void = () => undefined;
  socket.once('connect', () => {
    made += 1;
    if (begun < options.count) open();
    stop = behave(socket);
  });
  let ended = false;
  const end = () => {
    if (!ended) over += 1;
    ended = true;
  };
  socket.once('end', end);
  // A write that fails tells that the server is no longer there.
  socket.on('error', end);
  socket.once('close', () => {
    end();
    stop();
  });
}

/** Returns what ends it. */
function behave(socket: Socket): () => void {
  const { kind } = options;
  if (kind === 'deaf') socket.pause();
  else socket.resume();
  if (kind === 'deaf' || kind === 'fickle') {
    socket.write(`GET ${options.path} HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\n\r\n`);
  }
  if (kind === 'silent' || kind === 'deaf') return () => undefined;
  let at = 0;
  const timer = setInterval(() => socket.write(head.charAt(at++ % head.length)), 1000);
  return () => clearInterval(timer);
}
