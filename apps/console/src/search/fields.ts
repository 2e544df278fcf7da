/** A filter with a text, as the query API has it (docs/openapi.yaml, `listCalls`). */
export interface SearchField {
  readonly label: string;
  readonly group: FieldGroup;
  readonly example?: string;
  /** All values, if there are only a few. */
  readonly values?: readonly string[];
  /** How several values are sent: as repeated parameters, in one parameter with commas, or not at all. */
  readonly several: 'repeated' | 'commas' | 'never';
  /** Whether `/api/suggest` has values of it. */
  readonly suggested?: true;
}

export const FIELD_GROUPS = ['Call', 'End', 'Media', 'Network', 'Device'] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

const REPEATED = { several: 'repeated' } as const;
const SUGGESTED = { several: 'repeated', suggested: true } as const;
const CODE = { several: 'commas', suggested: true } as const;
const CHOICE = { several: 'commas' } as const;
const EITHER = { several: 'commas', values: ['true', 'false'] } as const;

/** In the order of the address. */
export const FIELDS = {
  user: { label: 'User', group: 'Call', example: 'anna@example.test', ...SUGGESTED },
  address: { label: 'Address or subnet', group: 'Network', example: '10.1.0.0/16', several: 'never' },
  frontEnd: { label: 'Front end', group: 'Call', example: 'fe1.example.test', ...SUGGESTED },
  site: { label: 'Site', group: 'Network', example: 'Oslo', several: 'never' },
  codec: { label: 'Codec', group: 'Media', example: 'PCMU/8000', ...SUGGESTED },
  medium: { label: 'Medium', group: 'Media', example: 'audio', ...SUGGESTED },
  coverage: { label: 'Measured directions', group: 'Media', ...CHOICE, values: ['both', 'one', 'none'] },
  connection: { label: 'Connection', group: 'Network', example: 'wifi', ...SUGGESTED },
  userAgent: { label: 'Device', group: 'Device', example: 'Phone/2.1', ...SUGGESTED },
  errorCode: { label: 'SIP status', group: 'End', example: '486', ...CODE },
  diagnosticsCode: { label: 'Diagnostics', group: 'End', ...CODE },
  endReason: { label: 'End', group: 'End', ...CHOICE, example: 'error' },
  endedBy: { label: 'Ended by', group: 'End', ...CHOICE, values: ['caller', 'callee'] },
  endCode: { label: 'End status', group: 'End', example: '486', ...CODE },
  path: { label: 'Path', group: 'Network', ...CHOICE, values: ['direct', 'relay'] },
  pool: { label: 'Pool', group: 'Call', ...SUGGESTED },
  device: { label: 'Audio device', group: 'Device', ...SUGGESTED },
  os: { label: 'Operating system', group: 'Device', ...SUGGESTED },
  relay: { label: 'Relay', group: 'Network', ...SUGGESTED },
  trunk: { label: 'Trunk', group: 'Call', ...SUGGESTED },
  tenantId: { label: 'Tenant', group: 'Call', ...SUGGESTED },
  ssid: { label: 'Wi-Fi network', group: 'Network', ...SUGGESTED },
  bssid: { label: 'Access point', group: 'Network', ...SUGGESTED },
  mac: { label: 'MAC address', group: 'Network', ...SUGGESTED },
  driver: { label: 'Driver', group: 'Device', ...SUGGESTED },
  category: { label: 'Category', group: 'Call', ...SUGGESTED },
  dscp: { label: 'DSCP', group: 'Network', example: '46', ...CODE },
  vpn: { label: 'VPN', group: 'Network', ...EITHER },
  inside: { label: 'Internal network', group: 'Network', ...EITHER },
  mediaBypass: { label: 'Media bypass', group: 'Media', ...EITHER },
  callId: { label: 'Call-ID', group: 'Call', several: 'never' },
  conversationId: { label: 'Conversation', group: 'Call', ...REPEATED },
  conferenceId: { label: 'Conference', group: 'Call', ...REPEATED },
  correlationId: { label: 'Mediation', group: 'Call', ...REPEATED },
} as const satisfies Readonly<Record<string, SearchField>>;

export type TextName = keyof typeof FIELDS;

/** Filters of one text each; their names are those of the query API. */
export const TEXTS = Object.keys(FIELDS).filter((name): name is TextName => name in FIELDS);

export function fieldOf(name: TextName): SearchField {
  return FIELDS[name];
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

const RANGES: readonly RangeField[] = [
  range('MOS', 'Mos', {}),
  range('Packet loss', 'Loss', { unit: '%', factor: 100 }),
  range('Jitter', 'Jitter', { unit: 'ms' }),
  range('Round trip', 'RoundTrip', { unit: 'ms' }),
  range('Duration', 'DurationSeconds', { unit: 's' }),
  range('Ring time', 'RingSeconds', { unit: 's' }),
  range('Setup time', 'SetupSeconds', { unit: 's' }),
  range('Post-dial delay', 'PostDialSeconds', { unit: 's' }),
  range('Link speed', 'LinkSpeed', { unit: 'Mbit/s', factor: 1e-6 }),
  { label: 'Invited', min: 'invitedFrom', max: 'invitedTo', isTime: true },
];

function range(label: string, name: string, unit: Pick<RangeField, 'unit' | 'factor'>): RangeField {
  return { label, min: `min${name}`, max: `max${name}`, ...unit };
}

export { RANGES };
