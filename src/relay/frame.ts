/** A control frame (native/README.md): `name?key=value&key=value`, form-encoded. */
export type Frame = { readonly name: string; readonly values: URLSearchParams };

/** The longest frame, its end of line included. */
export const maxFrame = 16 * 1024;

/** Reads one frame without its end of line; null when it is none. */
export function parseFrame(text: string): Frame | null {
  const match = /^([\w.~-]{1,32})(?:\?([!-~]*))?$/.exec(text);
  if (match === null) return null;
  return { name: match[1] ?? '', values: new URLSearchParams(match[2] ?? '') };
}

/** A frame as text, without an end of line. Values that are null or undefined are left out. */
export function formatFrame(name: string, values: Record<string, string | number | null | undefined>): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) pairs.set(key, String(value));
  }
  return pairs.size === 0 ? name : `${name}?${pairs}`;
}

export function text(frame: Frame, key: string): string {
  return frame.values.get(key) ?? '';
}

/** A decimal number; 0 when the frame has none of that name. */
export function number(frame: Frame, key: string): number {
  const value = Number(frame.values.get(key));
  return Number.isFinite(value) ? value : 0;
}

/** A decimal number; null when the frame has none of that name. */
export function knownNumber(frame: Frame, key: string): number | null {
  return frame.values.has(key) ? number(frame, key) : null;
}
