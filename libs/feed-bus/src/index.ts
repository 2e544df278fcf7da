export { SipFailurePublisher, TracePublisher } from './batch-publisher.js';
export { SipFailureReader, TraceReader } from './batch-reader.js';
export { StreamBundleOffer } from './bundle-offer.js';
export { DeadLetters, type StoredLetter } from './dead-letters.js';
export { requestFrontEndAnswers } from './front-end-answers.js';
export { KnownFrontEnds } from './known-front-ends.js';
export { lostMessages, type LostMessages } from './lost-messages.js';
export { lastMessageOf, partitionBacklogs, type PartitionBacklog } from './partition-backlog.js';
export { PartitionReader, type PoisonMessage, type ReadBatch } from './partition-reader.js';
export type { Position } from './position.js';
export type { PublishObserver } from './part-writer.js';
export { RecordPublisher } from './record-publisher.js';
export { RecordsWindow } from './records-window.js';
export { ensureReaderPlace, RequestedPlace } from './reader-places.js';
export {
  BUS_FIXED_BYTES,
  deadLetterSettings,
  ensureCallChangesStream,
  ensureDeadLettersStream,
  ensureFeedStreams,
  offerBundles,
  streamSettings,
} from './record-streams.js';
export { RejectedRecords } from './rejected-records.js';
export { ensureSipFailuresStream } from './sip-failure-stream.js';
export { ensureTracesStream } from './trace-stream.js';
