import { KEYED_FIELDS, STREAM_FIELDS, type KeyedField, type StreamField } from './call-fields.js';

/** Dimensions by the addresses of streams and calls: the sites of SITES_FILE, and networks of the usual length. */
const PLACES = ['site', 'subnet'] as const;

export type Place = (typeof PLACES)[number];

/** What streams and calls are counted by. */
export type Dimension = Place | StreamField | KeyedField;

export const DIMENSIONS: readonly Dimension[] = [...PLACES, ...STREAM_FIELDS, ...KEYED_FIELDS];

/** What calls are divided by: values that failed calls have too, which have no streams. */
export type CallDimension = Place | 'frontEnd' | KeyedField;

const CALL_DIMENSIONS: readonly CallDimension[] = [...PLACES, 'frontEnd', ...KEYED_FIELDS];

/** `reason`: why records were rejected, which have no call. */
export type AlertDimension = CallDimension | 'reason';

export const ALERT_DIMENSIONS: readonly AlertDimension[] = [...CALL_DIMENSIONS, 'reason'];
