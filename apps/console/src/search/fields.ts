import { texts as partTexts } from '../texts/parts.js';
import { texts } from '../texts/search.js';

const VALUE_WORDS = { ...partTexts.verdicts, ...partTexts.states, ...texts.values };

/** A value of the API that is shown as a word. */
export type ValueName = keyof typeof VALUE_WORDS;

/** A filter with a text, as the query API has it (docs/openapi.yaml, `listCalls`). */
export interface SearchField {
  readonly label: string;
  readonly group: FieldGroup;
  readonly example?: string;
  /** All values, if there are only a few. */
  readonly values?: readonly ValueName[];
  /** How several values are sent: as repeated parameters, in one parameter with commas, or not at all. */
  readonly several: 'repeated' | 'commas' | 'never';
  /** Whether `/api/suggest` has values of it. */
  readonly suggested?: true;
}

export const FIELD_GROUPS = ['call', 'end', 'media', 'network', 'device'] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

const REPEATED = { several: 'repeated' } as const;
const SUGGESTED = { several: 'repeated', suggested: true } as const;
const CODE = { several: 'commas', suggested: true } as const;
const CHOICE = { several: 'commas' } as const;
const EITHER = { several: 'commas', values: ['true', 'false'] } as const;

/** In the order of the address. */
export const FIELDS = {
  user: { label: texts.fields.user, group: 'call', example: 'anna@example.test', ...SUGGESTED },
  address: { label: texts.fields.address, group: 'network', example: '10.1.0.0/16', several: 'never' },
  frontEnd: { label: texts.fields.frontEnd, group: 'call', example: 'fe1.example.test', ...SUGGESTED },
  site: { label: texts.fields.site, group: 'network', example: 'Oslo', several: 'never' }, // not shown: a name, as people enter it
  codec: { label: texts.fields.codec, group: 'media', example: 'PCMU/8000', ...SUGGESTED },
  medium: { label: texts.fields.medium, group: 'media', example: 'audio', ...SUGGESTED },
  coverage: { label: texts.fields.coverage, group: 'media', ...CHOICE, values: ['both', 'one', 'none'] },
  connection: { label: texts.fields.connection, group: 'network', example: 'wifi', ...SUGGESTED },
  userAgent: { label: texts.fields.userAgent, group: 'device', example: 'Phone/2.1', ...SUGGESTED },
  errorCode: { label: texts.fields.errorCode, group: 'end', example: '486', ...CODE },
  diagnosticsCode: { label: texts.fields.diagnosticsCode, group: 'end', ...CODE },
  endReason: { label: texts.fields.endReason, group: 'end', ...CHOICE, example: 'error' },
  endedBy: { label: texts.fields.endedBy, group: 'end', ...CHOICE, values: ['caller', 'callee'] },
  endCode: { label: texts.fields.endCode, group: 'end', example: '486', ...CODE },
  path: { label: texts.fields.path, group: 'network', ...CHOICE, values: ['direct', 'relay'] },
  pool: { label: texts.fields.pool, group: 'call', ...SUGGESTED },
  device: { label: texts.fields.device, group: 'device', ...SUGGESTED },
  os: { label: texts.fields.os, group: 'device', ...SUGGESTED },
  relay: { label: texts.fields.relay, group: 'network', ...SUGGESTED },
  trunk: { label: texts.fields.trunk, group: 'call', ...SUGGESTED },
  tenantId: { label: texts.fields.tenantId, group: 'call', ...SUGGESTED },
  ssid: { label: texts.fields.ssid, group: 'network', ...SUGGESTED },
  bssid: { label: texts.fields.bssid, group: 'network', ...SUGGESTED },
  mac: { label: texts.fields.mac, group: 'network', ...SUGGESTED },
  driver: { label: texts.fields.driver, group: 'device', ...SUGGESTED },
  category: { label: texts.fields.category, group: 'call', ...SUGGESTED },
  dscp: { label: texts.fields.dscp, group: 'network', example: '46', ...CODE },
  vpn: { label: texts.fields.vpn, group: 'network', ...EITHER },
  inside: { label: texts.fields.inside, group: 'network', ...EITHER },
  mediaBypass: { label: texts.fields.mediaBypass, group: 'media', ...EITHER },
  uploads: { label: texts.fields.uploads, group: 'call', several: 'never', values: ['exclude', 'include', 'only'] },
  callId: { label: texts.fields.callId, group: 'call', several: 'never' },
  conversationId: { label: texts.fields.conversationId, group: 'call', ...REPEATED },
  conferenceId: { label: texts.fields.conferenceId, group: 'call', ...REPEATED },
  correlationId: { label: texts.fields.correlationId, group: 'call', ...REPEATED },
} as const satisfies Readonly<Record<string, SearchField>>;

export type TextName = keyof typeof FIELDS;

/** Filters of one text each; their names are those of the query API. */
export const TEXTS = Object.keys(FIELDS).filter((name): name is TextName => name in FIELDS);

export function fieldOf(name: TextName): SearchField {
  return FIELDS[name];
}

/** The word for one of the known values; another value as it is. */
export function valueWord(known: readonly ValueName[], value: string): string {
  const name = known.find((each) => each === value);
  return name === undefined ? value : VALUE_WORDS[name];
}

/** A value of a field or dimension, in words if it has a known set of values. */
export function fieldWord(name: string, value: string): string {
  const field: SearchField | undefined = Object.entries(FIELDS).find(([each]) => each === name)?.[1];
  return valueWord(field?.values ?? [], value);
}

/** A value between two numbers or times; `min` and `max` are parameters of the query API. */
export interface RangeField {
  readonly label: string;
  readonly min: string;
  readonly max: string;
  readonly unit?: string;
  /** A shown number is this many times the one in the query. */
  readonly factor?: number;
  readonly isTime?: true;
}

export const RANGES: readonly RangeField[] = [
  { label: texts.ranges.mos, min: 'minMos', max: 'maxMos' },
  { label: texts.ranges.loss, min: 'minLoss', max: 'maxLoss', unit: '%', factor: 100 },
  { label: texts.ranges.jitter, min: 'minJitter', max: 'maxJitter', unit: 'ms' },
  { label: texts.ranges.roundTrip, min: 'minRoundTrip', max: 'maxRoundTrip', unit: 'ms' },
  { label: texts.ranges.duration, min: 'minDurationSeconds', max: 'maxDurationSeconds', unit: 's' },
  { label: texts.ranges.ringTime, min: 'minRingSeconds', max: 'maxRingSeconds', unit: 's' },
  { label: texts.ranges.setupTime, min: 'minSetupSeconds', max: 'maxSetupSeconds', unit: 's' },
  { label: texts.ranges.postDialDelay, min: 'minPostDialSeconds', max: 'maxPostDialSeconds', unit: 's' },
  { label: texts.ranges.linkSpeed, min: 'minLinkSpeed', max: 'maxLinkSpeed', unit: 'Mbit/s', factor: 1e-6 },
  { label: texts.ranges.invited, min: 'invitedFrom', max: 'invitedTo', isTime: true },
];
