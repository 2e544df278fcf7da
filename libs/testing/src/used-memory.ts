import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of objects and buffers, after garbage collection. */
export function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  // Buffers are freed beside the first collection.
  for (let times = 0; times < 2; times++) runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
