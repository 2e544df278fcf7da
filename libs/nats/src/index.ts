export { Bucket, type Entry } from './bucket.js';
export { BucketCache } from './bucket-cache.js';
export { Bus, busSettings, NoService } from './bus.js';
export { BusFull } from './bus-full.js';
export type { BusUrl } from './bus-login.js';
export { BusNotReachable } from './bus-not-reachable.js';
export { busTime } from './bus-time.js';
export { BusUnavailable } from './bus-unavailable.js';
export { DurableConsumer, type ReaderPlace } from './durable-consumer.js';
export { DurableReader, type DurableMessage } from './durable-reader.js';
export { EntryWriter } from './entry-writer.js';
export { newestFirst } from './newest-first.js';
export { isNotAllowed } from './not-allowed.js';
export { outOfStep } from './out-of-step.js';
export { isRecognised, markOf, storedAtOf, type StreamPosition } from './position.js';
export { consume, dropConsumer, messagesAhead, ReadingLoop, type Reading, type ReadMessage } from './reading-loop.js';
export { assertStreamComplete, assertStreamWorks } from './stream-health.js';
export {
  deleteStream,
  headOf,
  messagesIn,
  restoreSnapshot,
  createSnapshot,
  newestMessageAt,
  type SnapshotHead,
} from './stream-snapshot.js';
export { StreamTail, type TailMessage, type TailStart } from './stream-tail.js';
export { NoStreamStores, StreamWriter, unlessConflict, type MessageToStore } from './stream-writer.js';
export { ensureStream, streamEpoch, type StreamRole } from './streams.js';
