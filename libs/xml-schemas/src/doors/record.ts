export type { Endpoint } from '../model/endpoint.js';
export type { Extensions } from '../model/extensions.js';
export type { ConfigurationRequest, FeedMessage } from '../model/feed-message.js';
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
} from '../model/record.js';
export { schemaVersion } from '../model/schema-version.js';
export { eventEndpoints, isEnd, isError, isInvite, isQuality, isStream } from '../model/event-kinds.js';
