import type { Endpoint, TimelineItem } from '../api/answers.js';
import { visible } from '../parts/format.js';
import { METRIC_ELEMENTS, SCORE_ELEMENTS } from '../api/catalogue.js';
import { formatMetric } from '../parts/metrics.js';
import { texts } from '../texts/ladder.js';

type Event = TimelineItem['events'][number];

const WORDS: Readonly<Record<string, string>> = texts.events;
const REPORTS: ReadonlySet<string> = new Set(['qualityUpdate', 'inCallQuality']);
const WITHOUT_DIRECTION: ReadonlySet<string> = new Set(['ended', 'bye', 'error']);
/** The values beside a report: of each line the first metric that it has. */
const VALUES = [
  [texts.values.mos, Object.values(SCORE_ELEMENTS).flat()],
  [texts.values.loss, METRIC_ELEMENTS.loss],
  [texts.values.jitter, METRIC_ELEMENTS.jitter],
  [texts.values.roundTrip, METRIC_ELEMENTS.roundTrip],
] as const;
const WORST_CODE_OF_SUCCESS = 399;

export function isReport({ kind }: Event): boolean {
  return REPORTS.has(kind);
}

export function isFailure(event: Event): boolean {
  return event.kind === 'error' && !(eventResponseCode(event) <= WORST_CODE_OF_SUCCESS);
}

/** False: parties without a direction. */
export function hasDirection(event: Event): boolean {
  return !WITHOUT_DIRECTION.has(event.kind) || event['from'] !== undefined;
}

/** Call flow, and the values of a report: `final report on audio: MOS 4.1, loss 0.4 %`. */
export function eventLabel(event: Event): string {
  const media = typeof event['mediaType'] === 'string' ? visible(event['mediaType']) : '';
  const code = eventResponseCode(event);
  const known = Object.hasOwn(WORDS, event.kind) ? WORDS[event.kind] : visible(event.kind);
  const words = [known, media, Number.isNaN(code) ? '' : String(code)].filter(Boolean).join(' ');
  const values = isReport(event) ? reportValues(event['metrics']) : '';
  return values === '' ? words : `${words}: ${values}`;
}

/** The ends of its arrow. */
export function eventParties(event: Event): readonly [Endpoint | undefined, Endpoint | undefined] {
  const from = givenEndpoint(event['from']) ?? givenEndpoint(event['caller']);
  const to = givenEndpoint(event['to']) ?? givenEndpoint(event['callee']);
  if (from !== undefined || to !== undefined) return [from, to];
  const endpoints: readonly unknown[] = Array.isArray(event['endpoints']) ? event['endpoints'] : [];
  return [givenEndpoint(endpoints[0]), givenEndpoint(endpoints[1])];
}

function reportValues(metrics: unknown): string {
  if (typeof metrics !== 'object' || metrics === null) return '';
  const byName = new Map<string, unknown>(Object.entries(metrics));
  return VALUES.flatMap(([words, names]) => {
    const name = names.find((each) => metricValue(byName.get(each)) !== undefined);
    const value = name === undefined ? undefined : metricValue(byName.get(name));
    return name === undefined || value === undefined ? [] : [`${words} ${formatMetric(name, value)}`];
  }).join(', ');
}

function metricValue(metric: unknown): number | undefined {
  if (typeof metric !== 'object' || metric === null || !('value' in metric)) return undefined;
  return typeof metric.value === 'number' ? metric.value : undefined;
}

function givenEndpoint(value: unknown): Endpoint | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

function eventResponseCode(event: Event): number {
  const response = event['responseCode'];
  if (typeof response !== 'object' || response === null || !('code' in response)) return Number.NaN;
  return Number(response.code);
}
