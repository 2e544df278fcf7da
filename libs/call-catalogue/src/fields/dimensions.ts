import {
  KEYED_FIELDS,
  STREAM_FIELDS,
  SUSPECT_FIELDS,
  type KeyedField,
  type StreamField,
  type SuspectField,
} from './call-fields.js';

/** Dimensions by the addresses of streams and calls: the sites of SITES_FILE, and networks of the usual length. */
const PLACES = ['site', 'subnet'] as const;

export type Place = (typeof PLACES)[number];

/** What streams and calls are counted by. */
export type Dimension = Place | StreamField | KeyedField;

export const DIMENSIONS: readonly Dimension[] = [...PLACES, ...STREAM_FIELDS, ...KEYED_FIELDS];

/** What may be wrong with calls. */
export type SuspectDimension = Place | SuspectField;

/** The most exact first: a network is named only if nothing in it has the same calls. */
export const SUSPECT_DIMENSIONS: readonly SuspectDimension[] = [...SUSPECT_FIELDS, 'subnet', 'site'];

/** What calls are divided by: values that failed calls have too, which have no streams. */
export type CallDimension = Place | 'frontEnd' | KeyedField;

const CALL_DIMENSIONS: readonly CallDimension[] = [...PLACES, 'frontEnd', ...KEYED_FIELDS];

/** What the load of the system is divided by: what carries calls, or pays for them. */
export const LOAD_DIMENSIONS = [
  'frontEnd',
  'pool',
  'trunk',
  'site',
  'tenantId',
  'relay',
] as const satisfies readonly CallDimension[];

export type LoadDimension = (typeof LOAD_DIMENSIONS)[number];

/** `reason`: why records were rejected, which have no call. */
export type AlertDimension = CallDimension | 'reason';

export const ALERT_DIMENSIONS: readonly AlertDimension[] = [...CALL_DIMENSIONS, 'reason'];
