export { DeadLetters, type StoredLetter } from './dead-letters.js';
export { requestFrontEndAnswers } from './front-end-answers.js';
export { KnownFrontEnds } from './known-front-ends.js';
export { lostMessages, type LostMessages } from './lost-messages.js';
export { partitionBacklogs, type PartitionBacklog } from './partition-backlog.js';
export { PartitionReader, type PoisonMessage, type ReadBatch } from './partition-reader.js';
export type { Position } from './position.js';
export { RecordPublisher, type PublishObserver } from './record-publisher.js';
export {
  BUS_FIXED_BYTES,
  deadLetterSettings,
  ensureCallChangesStream,
  ensureDeadLettersStream,
  ensureFeedStreams,
  streamSettings,
} from './record-streams.js';
export { RejectedRecords } from './rejected-records.js';
export { TracePublisher } from './trace-publisher.js';
export { TraceReader } from './trace-reader.js';
export { ensureTracesStream } from './trace-stream.js';
