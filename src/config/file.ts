import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Layer } from './layer.js';

/**
 * Reads a configuration file, YAML 1.2.
 * @throws WeirError `invalid` when it cannot be read, is not YAML, or is not a set of keys.
 */
export function readConfigFile(file: string): Layer {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) {
    throw new WeirError(
      'invalid',
      `${file}, line ${lines.linePos(fault.pos[0]).line}: this is not YAML: ${fault.message}`,
    );
  }
  const where = (path: readonly PropertyKey[]): string => {
    const offset = offsetOf(document, path);
    const line = offset === null ? '' : `, line ${lines.linePos(offset).line}`;
    return `${file}${line}, "${path.join('.')}"`;
  };
  return { values: valuesOf(document, file), folder: dirname(resolve(file)), where };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new WeirError('invalid', `The configuration file cannot be read: ${messageOf(error)}.`);
  }
}

function valuesOf(document: Document, file: string): Record<string, unknown> {
  const content: unknown = document.toJS();
  if (content === null || content === undefined) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new WeirError('invalid', `${file}, line 1: this is not a set of keys. Write "key: value" lines.`);
  }
  return { ...content };
}

/** Where a key stands, or its nearest surroundings that do. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    if (pair !== undefined) {
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else {
      node = isCollectionAt(node, key);
      offset = startOf(node) ?? offset;
    }
  }
  return offset;
}

function isCollectionAt(node: unknown, key: PropertyKey): Node | undefined {
  if (typeof key !== 'number' || !isNode(node) || !('items' in node) || !Array.isArray(node.items)) return undefined;
  const item: unknown = node.items[key];
  return isNode(item) ? item : undefined;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node.range?.[0] ?? undefined) : undefined;
}
