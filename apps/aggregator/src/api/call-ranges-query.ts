import { rejectParameter } from '@ringdown/web-server';
import type { CallRanges, Range } from '../store/call-filter.js';
import { BitsPerSecond, Moment, MosValue, Milliseconds, Seconds, Share } from './query-fields.js';

/**
 * Parameters that select calls by their duration, the times of their setup, the speed of their links, and the worst value
 * of each metric among their streams.
 */
export class CallRangesQuery {
  @Seconds()
  minDurationSeconds?: number;

  @Seconds()
  maxDurationSeconds?: number;

  @Moment()
  invitedFrom?: Date;

  @Moment()
  invitedTo?: Date;

  @Seconds()
  minRingSeconds?: number;

  @Seconds()
  maxRingSeconds?: number;

  @Seconds()
  minSetupSeconds?: number;

  @Seconds()
  maxSetupSeconds?: number;

  @Seconds()
  minPostDialSeconds?: number;

  @Seconds()
  maxPostDialSeconds?: number;

  @BitsPerSecond()
  minLinkSpeed?: number;

  @BitsPerSecond()
  maxLinkSpeed?: number;

  @Share()
  minLoss?: number;

  @Share()
  maxLoss?: number;

  @Milliseconds()
  minJitter?: number;

  @Milliseconds()
  maxJitter?: number;

  @Milliseconds()
  minRoundTrip?: number;

  @Milliseconds()
  maxRoundTrip?: number;

  @MosValue()
  minMos?: number;

  @MosValue()
  maxMos?: number;
}

/** Throws a {@link Fault} when a range is empty. */
export function rangesOf(query: CallRangesQuery): CallRanges {
  return {
    durationSeconds: durationOf(query),
    invitedAt: range('invitedFrom', query.invitedFrom, query.invitedTo),
    ringSeconds: range('minRingSeconds', query.minRingSeconds, query.maxRingSeconds),
    setupSeconds: range('minSetupSeconds', query.minSetupSeconds, query.maxSetupSeconds),
    postDialSeconds: range('minPostDialSeconds', query.minPostDialSeconds, query.maxPostDialSeconds),
    linkSpeed: range('minLinkSpeed', query.minLinkSpeed, query.maxLinkSpeed),
    loss: range('minLoss', query.minLoss, query.maxLoss),
    jitter: range('minJitter', query.minJitter, query.maxJitter),
    roundTrip: range('minRoundTrip', query.minRoundTrip, query.maxRoundTrip),
    mos: range('minMos', query.minMos, query.maxMos),
  };
}

/** An unknown duration is stored as a negative one. */
function durationOf({ minDurationSeconds: min, maxDurationSeconds: max }: CallRangesQuery): Range<number> {
  return range('minDurationSeconds', max === undefined ? min : (min ?? 0), max);
}

function range<T extends number | Date>(field: string, from: T | undefined, to: T | undefined): Range<T> {
  if (from !== undefined && to !== undefined && from > to)
    rejectParameter(field, `${field} must not be greater than the other end of the range`, 'order');
  return { from, to };
}
