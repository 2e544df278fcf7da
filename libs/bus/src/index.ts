export { BatchTurns } from './batch-turns.js';
export { Bus, busSettings, reasonOf, splitUrl, type BusOptions } from './bus.js';
export { Bucket, type Entry } from './bucket.js';
export type {
  CallOutline,
  CallsInProgressPage,
  CallsInProgressQuestion,
  PartyOutline,
  StreamOutline,
} from './call-outline.js';
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
  type DeadLetter,
  type DeadLetterCode,
  type PublishedRecord,
  type RecordBatch,
  type RejectedRecord,
  type TokenRevoked,
} from './messages.js';
export { DeadLetters, type KeptLetter } from './dead-letters.js';
export { droppedMessages, type DroppedMessages } from './dropped-messages.js';
export { askFrontEndAnswers, tellFrontEndAnswers, type FrontEndAnswers } from './front-end-answers.js';
export { partitionBacklogs, type PartitionBacklog } from './partition-backlog.js';
export {
  PartitionReader,
  type PartitionReaderOptions,
  type PoisonMessage,
  type Position,
  type ReadBatch,
} from './partition-reader.js';
export {
  BusUnavailable,
  RecordPublisher,
  type PublishObserver,
  type RecordPublisherOptions,
} from './record-publisher.js';
export { RejectedRecords } from './rejected-records.js';
export { GONE_MS, REPORT_MS, ServiceReports, type ServiceReport } from './service-reports.js';
export {
  deadLetterSettings,
  ensureCallChangesStream,
  ensureChannelsStream,
  ensureDeadLettersStream,
  ensureFeedStreams,
  streamSettings,
  streamLife,
} from './streams.js';
export { DurableReader, type DurableMessage } from './durable-reader.js';
export { StreamTail, type StreamTailOptions, type TailStart } from './stream-tail.js';
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
