import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { playLoop, readLoop } from '../../demo/loop.js';
import { packetSize } from '../../demo/packet.js';
import { tempDir } from './temp.js';

type Owner = { after(undo: () => void): void };

/**
 * A recording of the demo played round and round into a file that everybody may read, clocks and counters going on across each seam.
 * @param seconds how long it is
 */
export function longRecording(owner: Owner, file: string, seconds: number): string {
  const packets: Uint8Array[] = [];
  for (const { bytes, due } of playLoop(readLoop(readFileSync(file)))) {
    if (due > seconds * 27e6 && packets.length > 0) break;
    packets.push(bytes);
  }
  const folder = tempDir(owner);
  // For players and servers that refuse to run as root.
  chmodSync(folder, 0o755);
  const path = join(folder, 'recording.ts');
  writeFileSync(path, Buffer.concat(packets, packets.length * packetSize), { mode: 0o644 });
  return path;
}
