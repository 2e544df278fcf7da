import { setTimeout as sleep } from 'node:timers/promises';

/** What a server that is read from has of the primary. */
export interface ReplayState {
  readonly isStandby: boolean;
  /** Bytes of the log of the primary that it has replayed. */
  readonly replayed: number;
  /** Since the newest transaction that it has; null before the first one after its start. */
  readonly secondsSinceCommit: number | null;
}

export interface ReplicationLagOptions {
  /** Bytes that the primary has written to its log. Rejects while there is none that answers. */
  readonly written: () => Promise<number>;
  /** Rejects while it does not answer: then the primary is read. */
  readonly replay: () => Promise<ReplayState>;
}

/** How old a measured lag may be: many answers share one. */
const LAG_MS = 2_000;
/** An answer does not wait longer for its lag; then it has the one that was measured last. */
const MEASURE_MS = 1_000;
/** Of the log of the primary: with one every two seconds, half an hour. */
const MOST_SAMPLES = 900;

/**
 * By how much a standby is behind, as far as can be seen without special privileges. The age of its newest transaction alone is
 * not enough: while nothing is written, it grows without a lag, and a standby that receives nothing looks as if there were nothing.
 */
export class ReplicationLag {
  /** How far the primary's log was at which time, the oldest first. */
  private samples: { readonly written: number; readonly at: number }[] = [];
  private known = { seconds: 0, at: -Infinity };
  private measuring: Promise<number> | undefined;

  constructor(
    private readonly options: ReplicationLagOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Seconds; 0 when the primary itself answers. */
  seconds(): Promise<number> {
    if (this.now() - this.known.at < LAG_MS) return Promise.resolve(this.known.seconds);
    this.measuring ??= this.measure().finally(() => (this.measuring = undefined));
    return Promise.race([this.measuring, sleep(MEASURE_MS, undefined, { ref: false }).then(() => this.known.seconds)]);
  }

  private async measure(): Promise<number> {
    // Health and log report a primary or a standby that does not answer.
    const written = await this.options.written().catch(() => undefined);
    if (written !== undefined) this.sample(written);
    const replay = await this.options.replay().catch(() => undefined);
    const seconds = replay?.isStandby === true ? this.behind(replay) : 0;
    this.known = { seconds, at: this.now() };
    return seconds;
  }

  private sample(written: number): void {
    // A promoted standby may lack the end of the former primary's log.
    if (written < (this.samples.at(-1)?.written ?? 0)) this.samples = [];
    this.samples.push({ written, at: this.now() });
    if (this.samples.length > MOST_SAMPLES) this.samples.shift();
  }

  /** What it lacks was written after the last sample that it has, and after its newest transaction. */
  private behind({ replayed, secondsSinceCommit }: ReplayState): number {
    const first = this.samples.findIndex(({ written }) => written > replayed);
    if (first === -1 && this.samples.length > 0) return 0;
    const since = this.samples[first - 1]?.at;
    const sinceSample = since === undefined ? Infinity : (this.now() - since) / 1_000;
    const bound = Math.min(sinceSample, secondsSinceCommit ?? Infinity);
    return Number.isFinite(bound) ? Math.max(0, bound) : 0;
  }
}
