/** What a session is kept up with. */
export type KeepaliveMethod = 'GET_PARAMETER' | 'OPTIONS';

/** Milliseconds. */
const shortest = 2000;
const longest = 20_000;
/** Answers of servers that do not know GET_PARAMETER, whatever they said. */
const unknown: ReadonlySet<number> = new Set([405, 451, 454, 501, 551]);

/** What a session is kept up with first. `methods` is what the server says that it knows, or null. */
export function keepaliveMethod(methods: ReadonlySet<string> | null): KeepaliveMethod {
  return methods === null || methods.has('GET_PARAMETER') ? 'GET_PARAMETER' : 'OPTIONS';
}

/** Milliseconds from one keepalive to the next, of a session's timeout in seconds: a third of it, 20 s at most and 2 s at least. */
export function keepaliveEvery(timeout: number): number {
  return Math.max(shortest, Math.min(longest, Math.floor((timeout * 1000) / 3)));
}

/** What to go on with after an answer other than 200; null when the answer is not about the method. */
export function keepaliveAfter(method: KeepaliveMethod, status: number): KeepaliveMethod | null {
  return method === 'GET_PARAMETER' && unknown.has(status) ? 'OPTIONS' : null;
}
