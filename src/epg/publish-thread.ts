import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, openSync, statSync, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { workerData } from 'node:worker_threads';
import { createGzip } from 'node:zlib';
import { answerJobs } from '../lib/job-thread.js';
import { giveWay } from '../lib/priority.js';
import { readGuideStore } from '../store/guide/open.js';
import { openGuideOut } from '../store/guide-out.js';
import { guideDocument } from './document.js';
import type { GuideJob, PublishedGuide } from './out-thread.js';
import { writeGuide } from './write/write.js';

giveWay();
const { dir } = workerData as { readonly dir: string };
const house = openGuideOut(dir);
const guide = readGuideStore(dir);
answerJobs(write);

/** Into `path`, and packed into `path` with `.gz` behind it. */
async function write({ path, ...request }: GuideJob): Promise<PublishedGuide> {
  const channels = house.read(request.lineup);
  const { etag, hasProgrammes } = guide.read(() =>
    writeFile(path, writeGuide(guideDocument(guide, channels, request))),
  );
  const packed = `${path}.gz`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(packed, { mode: 0o600 }));
  return {
    plain: { path, bytes: statSync(path).size, etag },
    packed: { path: packed, bytes: statSync(packed).size, etag: `${etag}-gz` },
    hasProgrammes,
  };
}

/** Returns the SHA-256 of what it wrote, and whether there is a programme in it. */
function writeFile(path: string, pieces: Iterable<string>): { etag: string; hasProgrammes: boolean } {
  const hash = createHash('sha256');
  let hasProgrammes = false;
  const file = openSync(path, 'w', 0o600);
  try {
    for (const piece of pieces) {
      hasProgrammes ||= piece.includes('<programme ');
      const bytes = Buffer.from(piece);
      hash.update(bytes);
      writeFileSync(file, bytes);
    }
  } finally {
    closeSync(file);
  }
  return { etag: hash.digest('base64url'), hasProgrammes };
}
