import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pour, serve } from './server.js';

type Owner = { after(undo: () => void): void };

const megabyte = 1024 * 1024;

/**
 * A server in a process of its own, so that what it holds is not counted as ours. `/said` and `/unsaid` are 200 MB of
 * garbage with and without a length, `/bomb` is 10 GB of zeros in gzip, `/bomb.gz` the same as a file, `/taken` says how many bytes
 * of the last were sent.
 */
export async function startGarbageServer(owner: Owner): Promise<string> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), { execArgv: [] });
  owner.after(() => child.kill('SIGKILL'));
  const [url] = (await once(child, 'message')) as [string];
  return url;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send !== undefined) {
  let taken = 0;
  // Members of one gzip stream (RFC 1952 §2.2), each 64 MB of zeros.
  const member = gzipSync(Buffer.alloc(64 * megabyte));
  const url = await serve({ after: () => {} }, ({ url: path }, response) => {
    if (path === '/taken') return void response.end(String(taken));
    const { socket } = response;
    response.once('close', () => {
      taken = socket?.bytesWritten ?? 0;
    });
    if (path === '/bomb' || path === '/bomb.gz') {
      response.writeHead(200, path === '/bomb' ? { 'content-encoding': 'gzip' } : {});
      void pour(response, member, 160 * member.length).then(() => response.end());
    } else {
      response.writeHead(200, path === '/said' ? { 'content-length': 200 * megabyte } : {});
      void pour(response, Buffer.alloc(64 * 1024, 'garbage'), 200 * megabyte).then(() => response.end());
    }
  });
  process.once('disconnect', () => process.exit());
  process.send(url);
}
