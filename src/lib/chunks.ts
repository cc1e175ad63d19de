/** Items a number at a time, as they come. */
export function* inChunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let next: T[] = [];
  for (const item of items) {
    next.push(item);
    if (next.length < size) continue;
    yield next;
    next = [];
  }
  if (next.length > 0) yield next;
}
