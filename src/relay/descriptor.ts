import type { Socket } from 'node:net';

/** What Node keeps behind a socket. It is not part of its published interface, and has been the same since Node 0.12. */
type Handle = { readonly fd: number; readStop(): number; readStart(): number };

/** The handle of a connected socket, or null when it is closed. */
export function handleOf(socket: Socket): Handle | null {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  return handle !== undefined && handle !== null && handle.fd >= 0 ? handle : null;
}
