import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { withinTime } from '@ringdown/time-limit';
import { setImmediate as breath } from 'node:timers/promises';
import type { Call } from '../call.js';
import { callExtent } from './admission.js';
import { deriveCall, type CallHistory, type CallRules } from '../derive-call.js';
import { COLLECTOR_CLOCK, type FeedRecord } from '../feed-record.js';
import { isoTime } from '../streams/report-source.js';
import { callTimeline, type PlacedRecord } from './timeline.js';

/** An event as any object: that is how it is answered. */
type EventFields<E> = E extends unknown ? { readonly [Field in keyof E]: E[Field] } : never;

/** One record of a call, in order, with what it reported. */
export interface CourseItem {
  readonly recordId: string;
  /** When it was sent, after the clocks of the call are aligned: items are sorted by it. */
  readonly at: string;
  /** The clock of that time: records without a time are sorted by their time of receipt. */
  readonly clock: 'frontEnd' | 'collector';
  /** Clock of the collector. */
  readonly receivedAt: string;
  readonly feed: string | null;
  readonly frontEnds: readonly string[];
  /** The version of the schema. */
  readonly version: string | null;
  readonly cseq: number | null;
  /** Whether it arrived after the call was considered complete. */
  readonly late: boolean;
  /** As parsed. */
  readonly events: readonly EventFields<RecordEvent>[];
  /** Elements of the record whose text was too long and is truncated. */
  readonly cut: readonly string[];
  /** The call as reported by this record and all before it; does not include time-outs. */
  readonly after: Pick<Call, 'state' | 'endReason' | 'verdict' | 'cause' | 'partial'>;
  /** Which parts of the call it changed or extended. */
  readonly changed: readonly CoursePart[];
}

const PARTS = ['state', 'endReason', 'verdict', 'parties', 'streams', 'errors', 'quality', 'clocks'] as const;

export type CoursePart = (typeof PARTS)[number];

export interface CourseQuestion {
  readonly records: readonly FeedRecord[];
  readonly rules: CallRules;
  readonly history: CallHistory;
  readonly limit: number;
  /** Digest of the record after which the page continues. */
  readonly after?: string | undefined;
  /** The longest time for deriving the call once. */
  readonly limitMs: number;
}

export interface CoursePage {
  readonly items: readonly CourseItem[];
  /** Digests of their records. */
  readonly digests: readonly string[];
  /** Digest of the last record; undefined on the last page. */
  readonly next: string | undefined;
}

/** The call is derived for each item of a page: those of a large call are shorter than the limit. */
const EVENTS_PER_PAGE = 200_000;

/** The records of a call in order, one page of them. Undefined when `after` is not one of them. */
export async function callCoursePage({
  records,
  rules,
  history,
  limit,
  after,
  limitMs,
}: CourseQuestion): Promise<CoursePage | undefined> {
  const { placed } = withinTime(limitMs, () => callTimeline(records));
  const first = after === undefined ? 0 : placed.findIndex(({ record }) => record.digest === after) + 1;
  if (after !== undefined && first === 0) return undefined;
  const { settlesAt } = withinTime(limitMs, () => deriveCall(records, rules, history)).call;
  const callAfter = (count: number): Call => withinTime(limitMs, () => callFromPlaced(placed.slice(0, count), rules));
  const length = Math.min(limit, Math.max(1, Math.floor(EVENTS_PER_PAGE / callExtent(records).events)));
  const page = placed.slice(first, first + length);
  const items: CourseItem[] = [];
  let before = first === 0 ? undefined : callAfter(first);
  for (const [index, each] of page.entries()) {
    const call = callAfter(first + index + 1);
    items.push(courseItem(each, call, before, settlesAt));
    before = call;
    // A call of thousands of records takes seconds, and other tasks are waiting.
    await breath();
  }
  const digests = page.map(({ record }) => record.digest);
  return { items, digests, next: first + length < placed.length ? digests.at(-1) : undefined };
}

function callFromPlaced(placed: readonly PlacedRecord[], rules: CallRules): Call {
  return deriveCall(
    placed.map(({ record }) => record),
    rules,
  ).call;
}

function courseItem(
  { record: { id, receivedAt, feed, record }, aligned, clock }: PlacedRecord,
  call: Call,
  before: Call | undefined,
  settlesAt: string | null,
): CourseItem {
  const { state, endReason, verdict, cause, partial } = call;
  return {
    recordId: id,
    at: isoTime(aligned),
    clock: clock === COLLECTOR_CLOCK ? 'collector' : 'frontEnd',
    receivedAt: isoTime(receivedAt),
    feed: feed === '' ? null : feed,
    frontEnds: record.connection.frontEnds,
    version: record.version ?? null,
    cseq: record.connection.cseq ?? null,
    late: settlesAt !== null && receivedAt > Date.parse(settlesAt),
    events: record.events,
    cut: record.cut ?? [],
    after: { state, endReason, verdict, cause, partial },
    changed: PARTS.filter((part) => JSON.stringify(call[part]) !== JSON.stringify(before?.[part] ?? NOTHING[part])),
  };
}

/** The state of a call that has no records yet. */
const NOTHING: Partial<Record<CoursePart, unknown>> = {
  endReason: null,
  verdict: 'unknown',
  parties: [],
  streams: [],
  errors: [],
  quality: [],
  clocks: [],
};
