import type { Endpoint, TimelineItem } from '../api/answers.js';
import { nameOf } from '../parts/format.js';

/** One event of a record, between the lanes of its parties. */
export interface Step {
  readonly key: string;
  readonly label: string;
  /** Lane numbers; undefined for an event about the call as a whole. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** False: a line without an arrow head, for parties without a direction. */
  readonly isArrow: boolean;
  readonly kind: string;
}

export interface Ladder {
  readonly lanes: readonly string[];
  /** For each record, in the order of the timeline. */
  readonly steps: readonly (readonly Step[])[];
}

const WORDS: Readonly<Record<string, string>> = {
  invite: 'invites',
  lrsInvite: 'invites the room',
  startOrUpdate: 'sends',
  start: 'sends',
  update: 'changes',
  ended: 'ended',
  bye: 'hangs up',
  error: 'error',
  qualityUpdate: 'final report on',
  inCallQuality: 'interim report on',
};

type Event = TimelineItem['events'][number];

/** The lanes of a call's records, and the events between them. */
export function ladderOf(items: readonly TimelineItem[]): Ladder {
  const lanes: string[] = [];
  const laneOf = (endpoint: Endpoint | undefined): number | undefined => {
    const name = nameOf(endpoint?.uri) || endpoint?.ip;
    if (name === undefined || name === '') return undefined;
    const at = lanes.indexOf(name);
    return at === -1 ? lanes.push(name) - 1 : at;
  };
  const steps = items.map(({ recordId, events }) =>
    events.map((event, index) => stepOf(event, `${recordId} ${index}`, laneOf)),
  );
  return { lanes, steps };
}

function stepOf(event: Event, key: string, laneOf: (endpoint: Endpoint | undefined) => number | undefined): Step {
  const [first, second] = partiesOf(event);
  const media = typeof event['mediaType'] === 'string' ? event['mediaType'] : '';
  const code = codeOf(event);
  const label = [WORDS[event.kind] ?? event.kind, media, code].filter((part) => part !== '').join(' ');
  const isArrow = !['ended', 'bye', 'error'].includes(event.kind) || event['from'] !== undefined;
  return { key, label, from: laneOf(first), to: laneOf(second), isArrow, kind: event.kind };
}

function partiesOf(event: Event): readonly [Endpoint | undefined, Endpoint | undefined] {
  const from = endpointOf(event['from']) ?? endpointOf(event['caller']);
  const to = endpointOf(event['to']) ?? endpointOf(event['callee']);
  if (from !== undefined || to !== undefined) return [from, to];
  const endpoints: readonly unknown[] = Array.isArray(event['endpoints']) ? event['endpoints'] : [];
  return [endpointOf(endpoints[0]), endpointOf(endpoints[1])];
}

function endpointOf(value: unknown): Endpoint | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

function codeOf(event: Event): string {
  const response = event['responseCode'];
  if (typeof response !== 'object' || response === null || !('code' in response)) return '';
  return String(response.code);
}
