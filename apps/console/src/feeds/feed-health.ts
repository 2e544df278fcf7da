import type { BusLosses, FeedPartition, FrontEnd, RunningService } from '../api/answers.js';
import { formatDecimal, formatFixed, formatNumber, withUnit } from '../parts/format.js';
import { texts } from '../texts/feeds.js';

/** A silence is noticed after this many usual intervals between records, and is bad after that many. */
const POOR_INTERVALS = 3;
const BAD_INTERVALS = 10;
/** Records of a busy feed come in bursts; a shorter interval would report pauses that mean nothing. */
const SHORTEST_INTERVAL_MS = 60_000;
/** Of a front end with few records, whose usual interval is not known. */
const UNKNOWN_MS = 15 * 60_000;

export interface Silence {
  readonly state: 'poor' | 'bad';
  /** Since the last record. */
  readonly milliseconds: number;
}

/** How long a front end has been silent, if that is long for it; undefined otherwise. */
export function silence(
  { lastSeen, usualIntervalSeconds }: Pick<FrontEnd, 'lastSeen' | 'usualIntervalSeconds'>,
  now: number,
): Silence | undefined {
  const milliseconds = now - Date.parse(lastSeen);
  if (usualIntervalSeconds === null) return milliseconds < UNKNOWN_MS ? undefined : { state: 'poor', milliseconds };
  const intervals = milliseconds / Math.max(SHORTEST_INTERVAL_MS, usualIntervalSeconds * 1_000);
  if (intervals < POOR_INTERVALS) return undefined;
  return { state: intervals < BAD_INTERVALS ? 'poor' : 'bad', milliseconds };
}

/** The health of one service or partition, with the reason. */
export interface ServiceHealth {
  readonly state: 'good' | 'poor' | 'bad';
  readonly words: string;
}

/** What the bus has lost within a day, in words; empty if nothing is known. */
export function lossesOf(losses: BusLosses | null): readonly string[] {
  if (losses === null) return [];
  const { missingRecords, droppedMessages, busShortened } = losses;
  return [
    ...((missingRecords ?? 0) > 0 ? [texts.missingRecords(missingRecords ?? 0)] : []),
    ...(droppedMessages > 0 ? [texts.droppedMessages(droppedMessages)] : []),
    ...(busShortened > 0 ? [texts.busShortened(busShortened)] : []),
  ];
}

/** A shorter wait is normal while records are read. */
const BEHIND_SECONDS = 5;
const FAR_BEHIND_SECONDS = 60;

/** How far the calls are behind the feed, over all partitions. */
export function feedLag(partitions: readonly FeedPartition[]): ServiceHealth & { readonly messages: number } {
  const waiting = new Map<number, number>();
  for (const { subject, waitingMessages } of partitions)
    waiting.set(subject, Math.max(waiting.get(subject) ?? 0, waitingMessages));
  const messages = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  const seconds = Math.max(0, ...partitions.map(({ lagSeconds }) => lagSeconds));
  const unread = partitions.filter(({ replica }) => replica === null).length;
  if (unread > 0) {
    const words =
      unread === partitions.length
        ? texts.notRead
        : texts.partlyRead(formatNumber(unread), formatNumber(partitions.length));
    return { state: 'bad', words, messages };
  }
  if (seconds >= BEHIND_SECONDS) {
    const state = seconds >= FAR_BEHIND_SECONDS ? 'bad' : 'poor';
    return { state, words: texts.behind(withUnit(formatNumber(Math.round(seconds)), 's')), messages };
  }
  return { state: 'good', words: texts.upToDate, messages };
}

/** Counts of a service that indicate a problem when they are not zero, the worst first. */
const PROBLEMS: readonly (readonly [keyof typeof texts.problems, ServiceHealth['state']])[] = [
  ['unavailable', 'bad'],
  ['failing', 'bad'],
  ['setAside', 'bad'],
  ['frontEndsOverLimit', 'poor'],
  ['dropped', 'poor'],
];

export function serviceHealth(
  { counts }: Pick<RunningService, 'counts'>,
  shown: (count: number) => string,
): ServiceHealth {
  for (const [name, state] of PROBLEMS) {
    const count = counts[name] ?? 0;
    if (count > 0) return { state, words: texts.problems[name](shown(count)) };
  }
  return { state: 'good', words: texts.running };
}

const COUNT_NAMES: Readonly<Record<string, string>> = texts.counts;

/** The readable name of a count; those of a later version are shown as they are. */
export function countName(name: string): string {
  return COUNT_NAMES[name] ?? name;
}

/** `0`, `<0.1`, `0.4`, `120` a minute. */
export function formatRate(perMinute: number): string {
  if (perMinute === 0 || perMinute >= 10) return String(Math.round(perMinute));
  return perMinute < 0.1 ? `<${formatDecimal(0.1)}` : formatFixed(perMinute, 1);
}
