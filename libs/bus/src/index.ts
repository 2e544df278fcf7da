export { BatchTurns } from './batch-turns.js';
export { Bus, busSettings, reasonOf, type BusOptions } from './bus.js';
export { BusLogin, type BusUrl, type LoginOptions, type MovingUrl } from './bus-login.js';
export { busTime } from './bus-time.js';
export { Bucket, type Entry } from './bucket.js';
export { maxBytesOf, stateSettings, type BucketName } from './bucket-limits.js';
export { BusFull } from './bus-full.js';
export type {
  CallOutline,
  CallsInProgressPage,
  CallsInProgressQuestion,
  PartyOutline,
  StreamOutline,
} from './call-outline.js';
export { KnownFrontEnds, type KnownFrontEndsOptions } from './known-front-ends.js';
export { KeptAnswers, type KeptAnswersOptions } from './kept-answers.js';
export { KeptEntries, type KeptEntriesOptions } from './kept-entries.js';
export {
  ACCESS_LEVELS,
  conferenceUri,
  Meetings,
  parseConferenceUri,
  type AccessLevel,
  type Meeting,
  type NewMeeting,
} from './meetings.js';
export {
  isRecordBatch,
  type CallsChanged,
  type CollectorMessage,
  type DeadLetter,
  type DeadLetterCode,
  type PublishedRecord,
  type ReadRecord,
  type RecordBatch,
  type RejectedRecord,
  type SentBy,
  type TokenRevoked,
} from './messages.js';
export { DeadLetters, type KeptLetter } from './dead-letters.js';
export { lostMessages, type LostMessages } from './lost-messages.js';
export {
  askFrontEndAnswers,
  readFrontEndsQuestion,
  type FrontEndAnswers,
  type FrontEndAnswersReply,
} from './front-end-answers.js';
export { partitionBacklogs, type PartitionBacklog } from './partition-backlog.js';
export {
  PartitionReader,
  type PartitionReaderOptions,
  type PoisonMessage,
  type ReadBatch,
} from './partition-reader.js';
export {
  BusUnavailable,
  RecordPublisher,
  type AcceptedRecords,
  type PublishObserver,
  type RecordPublisherOptions,
} from './record-publisher.js';
export { isRecognised, markOf, type MessageMark, type Position } from './position.js';
export { RejectedRecords } from './rejected-records.js';
export { ensureSharedBuckets } from './shared-buckets.js';
export { GONE_MS, REPORT_MS, ServiceReports, type KeptReport, type ServiceReport } from './service-reports.js';
export {
  BUS_FIXED_BYTES,
  deadLetterSettings,
  ensureCallChangesStream,
  ensureChannelsStream,
  ensureDeadLettersStream,
  ensureFeedStreams,
  streamSettings,
  streamLife,
} from './streams.js';
export { DurableReader, type DurableMessage } from './durable-reader.js';
export { StreamTail, type StreamTailOptions, type TailMessage, type TailStart } from './stream-tail.js';
export {
  CALL_CHANGES_STREAM,
  callHash,
  CALLS_CHANGED_SUBJECT,
  CALLS_IN_PROGRESS_PATTERN,
  CHANNELS_STREAM,
  channelSubject,
  collectorAnswersPattern,
  DEAD_LETTERS_STREAM,
  deadLetterSubject,
  PARTITIONS,
  partitionOf,
  pollsHeldPattern,
  pollsWakeSubject,
  RECORDS_STREAM,
  recordsSubject,
  REJECTED_STREAM,
  REJECTED_SUBJECT,
  subscriberSubject,
  TOKENS_INTROSPECT_PATTERN,
  TOKENS_REVOKED_SUBJECT,
} from './subjects.js';
