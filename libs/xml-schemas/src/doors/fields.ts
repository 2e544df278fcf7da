export { connectionKind } from '../model/connection-kind.js';
export { diagnosticsValue, parseDiagnostics } from '../model/diagnostics-text.js';
export { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
export { RECORD_BATCH } from '../model/record-batch.js';
export type { BatchLimits, BatchResult, RejectedOfBatch } from '../model/record-batch.js';
export { epochMillis } from '../model/record-time.js';
export { TEXT_LIMITS } from '../model/text-limits.js';
export { withoutAbsent } from '../model/values.js';
