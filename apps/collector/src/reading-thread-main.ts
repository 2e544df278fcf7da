/** The thread that reads bodies (ADR 0031): whoever serves connections does not wait for its work. */
import { parentPort, workerData } from 'node:worker_threads';
import { readFeedBody, type BodyRead } from './feed-body.js';
import type { BodyBatch, ThreadData } from './reading-thread.js';

const port = parentPort;
if (port === null) throw new Error('this runs as a thread only');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what ReadingThread gives
const { profile } = workerData as ThreadData;

port.on('message', ({ bytes, ends, receivedAt }: BodyBatch) => {
  let start = 0;
  const read = ends.map((end, index): BodyRead => {
    const body = bytes.subarray(start, end);
    start = end;
    return readFeedBody(body, receivedAt[index] ?? 0, profile);
  });
  port.postMessage(read);
});
