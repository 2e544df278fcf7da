import type { Dimension } from '../api/answers.js';
import { addressText, periodOf, periodTexts, SPANS, type Period } from '../parts/period.js';
import { textPairs, textsOf, type Filter } from '../search/filter.js';
import type { TextName } from '../search/fields.js';

/** The query of the view, which is completely in its address. */
export interface QualityQuery {
  readonly period: Period;
  /** The dimension of the rows of the heat map. */
  readonly by: Dimension;
  /** Whether the period before is shown as well. */
  readonly compare: boolean;
  /** Filters of the calls whose streams are counted. */
  readonly texts: Filter['texts'];
}

/** Filters by place and device; the view itself distinguishes verdicts. */
export const NARROWING_TEXTS = [
  'frontEnd',
  'address',
  'site',
  'userAgent',
  'codec',
  'connection',
  'medium',
  'coverage',
] as const satisfies readonly TextName[];

/** The dimensions, with singular and plural. */
export const DIMENSIONS: readonly { readonly by: Dimension; readonly one: string; readonly many: string }[] = [
  { by: 'site', one: 'Site', many: 'sites' },
  { by: 'subnet', one: 'Subnet', many: 'subnets' },
  { by: 'frontEnd', one: 'Front end', many: 'front ends' },
  { by: 'userAgent', one: 'Device', many: 'devices' },
  { by: 'codec', one: 'Codec', many: 'codecs' },
  { by: 'connection', one: 'Connection', many: 'connections' },
  { by: 'medium', one: 'Medium', many: 'media' },
  { by: 'coverage', one: 'Measured directions', many: 'measured directions' },
  { by: 'path', one: 'Path', many: 'paths' },
  { by: 'endReason', one: 'End', many: 'ends' },
  { by: 'endedBy', one: 'Ended by', many: 'parties' },
  { by: 'endCode', one: 'End status', many: 'end statuses' },
  { by: 'errorCode', one: 'SIP status', many: 'SIP statuses' },
  { by: 'diagnosticsCode', one: 'Diagnostics', many: 'diagnostics' },
  { by: 'pool', one: 'Pool', many: 'pools' },
  { by: 'device', one: 'Audio device', many: 'audio devices' },
  { by: 'os', one: 'Operating system', many: 'operating systems' },
  { by: 'relay', one: 'Relay', many: 'relays' },
  { by: 'trunk', one: 'Trunk', many: 'trunks' },
  { by: 'tenantId', one: 'Tenant', many: 'tenants' },
  { by: 'ssid', one: 'Wi-Fi network', many: 'Wi-Fi networks' },
  { by: 'bssid', one: 'Access point', many: 'access points' },
  { by: 'driver', one: 'Driver', many: 'drivers' },
  { by: 'category', one: 'Category', many: 'categories' },
  { by: 'dscp', one: 'DSCP', many: 'code points' },
  { by: 'vpn', one: 'VPN', many: 'use of VPN' },
  { by: 'inside', one: 'Internal network', many: 'internal and external networks' },
  { by: 'mediaBypass', one: 'Media bypass', many: 'media bypass' },
];

/** Buckets need a beginning. */
export const QUALITY_SPANS = SPANS.filter(({ hours }) => hours !== undefined);
const USUAL_SPAN = '24h';
/** Used because sites may not be configured. */
const USUAL_DIMENSION: Dimension = 'subnet';

/** The query of an address. Unknown parameters are ignored. */
export function readQualityQuery(search: string): QualityQuery {
  const given = new URLSearchParams(search);
  if (given.get('last') === 'all') given.delete('last');
  return {
    period: periodOf(given, USUAL_SPAN),
    by: dimensionOf(given.get('by')) ?? USUAL_DIMENSION,
    compare: given.get('compare') === 'before',
    texts: textsOf(given, NARROWING_TEXTS),
  };
}

/** The address of a query, in the syntax of the router. */
export function qualityHref({ period, by, compare, texts }: QualityQuery): string {
  const text = addressText([
    ...periodTexts(period, USUAL_SPAN),
    ['by', by === USUAL_DIMENSION ? '' : by],
    ['compare', compare ? 'before' : ''],
    ...textPairs(texts),
  ]);
  return text === '' ? '/quality' : `/quality?${text}`;
}

export function dimensionOf(text: string | null): Dimension | undefined {
  return DIMENSIONS.find(({ by }) => by === text)?.by;
}

/** Singular and plural. */
export function wordsFor(by: Dimension): { readonly one: string; readonly many: string } {
  const { one, many } = DIMENSIONS.find((each) => each.by === by) ?? { one: by, many: by };
  return { one, many };
}
