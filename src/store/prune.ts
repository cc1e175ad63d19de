import type { Connection } from './connection.js';
import type { Writer } from './writer.js';

type Page = { readonly page: number; readonly entries: string };

/**
 * Removes what is out of service and not kept, a page at a time. What a crash leaves of it is removed the next time. Which entries
 * no snapshot has any more is found out here, beside the writer: nothing is ever put back in service but what is in service
 * now, so that none of them is used again meanwhile.
 */
export async function prune({ raw }: Connection, writer: Writer): Promise<void> {
  const old = raw.prepare(`SELECT n.id, n.source FROM snapshot n JOIN source s ON s.id = n.source
    WHERE n.id IS NOT s.snapshot AND EXISTS (SELECT 1 FROM snapshot_page p WHERE p.snapshot = n.id)`);
  const pages = raw.prepare('SELECT page, entries FROM snapshot_page WHERE snapshot = ?');
  const others = raw.prepare(`SELECT p.entries FROM snapshot n JOIN snapshot_page p ON p.snapshot = n.id
    WHERE n.source = ? AND n.id <> ?`);
  for (const { id: snapshot, source } of old.all() as { id: number; source: number }[]) {
    const kept = new Set((others.pluck().all(source, snapshot) as string[]).flatMap(idsOf));
    for (const { page, entries } of pages.all(snapshot) as Page[]) {
      const unused = idsOf(entries).filter((entry) => !kept.has(entry));
      await writer.call('dropPage', { snapshot, page, unused });
    }
  }
  while (await writer.call('pruneSnapshots', null));
}

function idsOf(entries: string): number[] {
  return JSON.parse(entries) as number[];
}
