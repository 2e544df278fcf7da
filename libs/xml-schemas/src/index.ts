export type { Endpoint } from './model/endpoint.js';
export type { Extensions } from './model/extensions.js';
export type { ConfigurationRequest, FeedMessage } from './model/feed-message.js';
export type {
  Bandwidth,
  Codec,
  ConnectionInfo,
  DiagnosticsRecord,
  EndEvent,
  ErrorEvent,
  Metric,
  Outcome,
  Parties,
  QualityEvent,
  RecordEvent,
  RecordEventKind,
  StreamEvent,
  VendorDiagnostics,
} from './model/record.js';
export { connectionKind } from './model/connection-kind.js';
export { diagnosticsValue, parseDiagnostics } from './model/diagnostics-text.js';
export { CONNECTION_FIELDS, ENDPOINT_FIELDS } from './model/field-tables.js';
export { endpointsOf, isEnd, isError, isInvite, isQuality, isStream } from './model/event-kinds.js';
export { RECORD_BATCH } from './model/record-batch.js';
export type { BatchLimits, BatchResult, RejectedOfBatch } from './model/record-batch.js';
export { epochMillis } from './model/record-time.js';
export { TEXT_LIMITS } from './model/text-limits.js';
export { withoutAbsent } from './model/values.js';

export type { Element } from './xml/element.js';
export { FEED_SYNTAX_CODES, FeedSyntaxError, type FeedSyntaxCode } from './xml/feed-syntax-error.js';
export { readAcceptedBatch, readBatchReply, splitBatch, writeBatch, writeBatchReply } from './xml/record-batch.js';
export { decodeBody, readElement } from './xml/read-element.js';
export { readFeedMessage } from './xml/read-feed-message.js';
export {
  readAcceptedReports,
  readAcceptedVersions,
  writeConfigurationReply,
  writeConfigurationRequest,
  writeCountReply,
  writeRejection,
} from './xml/write-replies.js';
export { writeRecord } from './xml/write-record.js';

export { convertRecord, type ConversionOptions, type OutputVersion } from './convert/convert-record.js';
export { fitRecord, fitText } from './convert/fit-record.js';
