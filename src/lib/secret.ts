import { readFileSync } from 'node:fs';
import { messageOf, WeirError } from './errors.js';

/** Characters. */
const shortestSecret = 16;

/** A secret from a file: its first line. @throws WeirError `invalid` when it cannot be read or is too short to be one. */
export function readSecret(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WeirError('invalid', `The key file cannot be read: ${messageOf(error)}.`);
  }
  const secret = text.split('\n')[0]?.trim() ?? '';
  if (secret.length >= shortestSecret) return secret;
  throw new WeirError(
    'invalid',
    `${file}, line 1: a key has at least ${shortestSecret} characters. Put a longer one there.`,
  );
}
