import { RtspConnection } from './connection.js';
import { requestText } from './conversation.js';
import type { DialogueOptions } from './dialogue.js';
import type { SessionFacts } from './session.js';
import { readAddress } from './url.js';

/** Milliseconds for the connection and for the answer. */
const patience = 3000;

/** Ends a session whose own connection is gone, over one of its own (RFC 2326 §1.1: a session is not bound to one). It throws nothing. */
export async function sayFarewell(facts: SessionFacts, { addresses, local }: DialogueOptions): Promise<void> {
  const { played: url, session, credentials, userAgent } = facts;
  if (session === null) return;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), 2 * patience);
  try {
    const { host, port } = readAddress(url);
    const way = { host, port, addresses: await addresses(host, port, late.signal), local, step: patience };
    const connection = await RtspConnection.open({ ...way, signal: late.signal });
    try {
      const request = requestText('TEARDOWN', { url, session, credentials }, userAgent);
      await connection.ask(`${request}CSeq: 1\r\n\r\n`, 1, 'TEARDOWN', patience, late.signal);
    } finally {
      connection.close();
    }
  } catch {
    // The server is not there any more: it has no session to end.
  } finally {
    clearTimeout(timer);
  }
}
