export type {
  Bandwidth,
  Codec,
  ConfigurationRequest,
  ConnectionInfo,
  DiagnosticsItem,
  DiagnosticsRecord,
  Endpoint,
  EndEvent,
  ErrorEvent,
  FeedMessage,
  FurtherFields,
  Hop,
  InviteEvent,
  Metric,
  Outcome,
  Parties,
  QualityEvent,
  RecordEvent,
  RecordEventKind,
  ResponseCode,
  StreamEvent,
  VendorDiagnostics,
} from './record.js';
export { connectionKind, type ConnectionKind } from './connection-kind.js';
export { endpointsOf, isEnd, isError, isInvite, isQuality, isStream } from './event-kinds.js';
export { FURTHER_LIMIT } from './further.js';
export { epochMillis, utcTime } from './record-time.js';
export { convertRecord, type ConversionOptions, type OutputVersion } from './convert-record.js';
export { diagnosticsValue, parseDiagnostics } from './diagnostics-text.js';
export { fitRecord, fitText } from './fit-record.js';
export { ATTRIBUTE_LIMIT, DEPTH_LIMIT, ELEMENT_LIMIT, TEXT_LIMITS } from './limits.js';
export type { Element } from './element.js';
export { decodeBody, readElement } from './read-element.js';
export { FEED_SYNTAX_CODES, FeedSyntaxError, type FeedSyntaxCode, type TextPosition } from './feed-syntax-error.js';
export { CALL_ID_LIMIT, NAME_LIMIT, NAMES_LIMIT, readFeedMessage } from './read-feed-message.js';
export {
  writeConfigurationReply,
  writeConfigurationRequest,
  writeCountReply,
  writeRefusal,
  type ConfigurationReply,
} from './write-answers.js';
export { writeRecord } from './write-record.js';
export { withoutAbsent } from './values.js';
