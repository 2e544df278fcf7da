export {
  CALL_FIELD_NAMES,
  DETAIL_FIELDS,
  filterRow,
  KEYED_FIELDS,
  PARTY_FIELDS,
  presentName,
  STREAM_FIELDS,
  SUGGESTED_FIELDS,
  SURROUNDING_FIELDS,
  type CallField,
  type DetailField,
  type FilterKind,
  type KeyedField,
  type PartyField,
  type StreamField,
  type SuggestedField,
  type SurroundingField,
} from '../fields/call-fields.js';
export { CONNECTION_ROWS } from '../fields/connection.js';
export { ENDPOINT_ROWS } from '../fields/endpoint.js';
export type { FieldHiding, FieldRow, FieldsOf } from '../fields/field-row.js';
