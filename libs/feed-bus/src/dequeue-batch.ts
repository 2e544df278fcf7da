/** The maximum size of a batch. */
export interface BatchLimits {
  readonly items: number;
  readonly bytes: number;
}

/** Removes items from the front of a queue: as many as fit into a batch, but at least one. */
export function dequeueBatch<T>(queue: T[], limits: BatchLimits, bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  let count = 0;
  for (const item of queue) {
    bytes += bytesOf(item);
    if (count > 0 && (bytes > limits.bytes || count >= limits.items)) break;
    count++;
  }
  return queue.splice(0, count);
}
