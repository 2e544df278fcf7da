import { withinTime } from '@ringdown/time-limit';
import { callKey } from '../../calls/call-keys.js';
import type { CallRules } from '../../calls/derive-call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import { judged, type Judged } from '../../calls/quality/judged-call.js';
import type { MetricSeries } from '@ringdown/answers/quality';
import { metricSeries, streamPoints } from '../../calls/streams/metric-series.js';
import type { Call } from '../../calls/call.js';
import type { Database } from '../database/database.js';
import { knownCalls } from './known-calls.js';

interface CallLevelsOptions {
  readonly database: Database;
  readonly rules: CallRules;
  /** The longest time for one call. */
  readonly limitMs: number;
}

/** The quality of calls, measured by the thresholds of the settings. */
export class CallLevels {
  constructor(private readonly options: CallLevelsOptions) {}

  /** The call with the level of each of its metrics. */
  of<C extends Pick<Call, 'quality'>>(call: C): Judged<C> {
    const { limitMs, rules } = this.options;
    return withinTime(limitMs, () => judged(call, rules.thresholds));
  }

  /** All reports on the streams of a call. Undefined when the call does not exist. */
  async series(callId: string): Promise<readonly MetricSeries[] | undefined> {
    const { limitMs, rules } = this.options;
    const records = await this.recordsOf(callId);
    return records && withinTime(limitMs, () => metricSeries(records, rules.thresholds));
  }

  /** The same reports one by one, in the order of their times. */
  async points(callId: string): Promise<ReturnType<typeof streamPoints> | undefined> {
    const { limitMs, rules } = this.options;
    const records = await this.recordsOf(callId);
    return records && withinTime(limitMs, () => streamPoints(records, rules.thresholds));
  }

  private async recordsOf(callId: string): Promise<readonly FeedRecord[] | undefined> {
    const key = callKey(callId);
    // PostgreSQL does not allow this character in texts, nor does XML.
    if (key.includes('\0')) return undefined;
    return (await this.options.database.read((transaction) => knownCalls(transaction, [key]))).get(key)?.records;
  }
}
