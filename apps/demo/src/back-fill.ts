import { beganAt, endedNow, type CallPlan } from './calls/call-plan.js';
import { plannedMessages } from './calls/call-messages.js';
import { pause } from '@ringdown/feed-client/command';
import { plannedRecords } from './calls/call-records.js';
import type { DemoFeed } from './demo-feed.js';
import { planCalls, type PlanOptions } from './calls/plan-calls.js';
import { beginnings, type RhythmOptions } from './calls/rhythm.js';
import { isDuring, type Period } from './calls/story.js';

export interface BackFillOptions extends RhythmOptions, PlanOptions {
  /** Calls that began at other times were sent by an earlier run. */
  readonly gaps: readonly Period[];
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number, calls: number) => void;
}

/** Calls that are written and sent together: those of so much time. */
const STEP_MS = 10 * 60_000;
/** Fewer than an embedded database processes, so that the calls of the live part do not wait behind them. */
const OLDER_CALLS_A_SECOND = 30;
const NEWEST_MS = 45 * 60_000;

/** The past of the demo, sent from the newest to the oldest, so that the first screen shows what is recent. */
export class BackFill {
  private readonly plans: readonly CallPlan[];
  private readonly newestFrom: number;
  /** False if an earlier run has sent a part. */
  readonly isWhole: boolean;
  /** Of which something was sent. */
  calls = 0;

  constructor(
    private readonly feed: DemoFeed,
    private readonly options: BackFillOptions,
  ) {
    this.newestFrom = Math.max(options.from, options.to - NEWEST_MS);
    const planned = beginnings(options).flatMap((beginning) => planCalls(beginning, options));
    this.plans = planned.filter((plan) => options.gaps.some((gap) => isDuring(gap, beganAt(plan))));
    this.isWhole = this.plans.length === planned.length;
  }

  get length(): number {
    return this.plans.length;
  }

  /** Calls that go on, and what follows from them: only what happened until `to` is sent of them. */
  get unfinished(): readonly CallPlan[] {
    return this.plans.filter((plan) => plan.outcome.endedAt > this.options.to && this.isNewest(plan));
  }

  /** The calls of the last minutes. */
  sendNewest(): Promise<void> {
    return this.send(this.plans.filter((plan) => this.isNewest(plan)));
  }

  /** All others; those that are still going on end with the past. */
  async sendOlder(): Promise<void> {
    const { from, to, signal } = this.options;
    const older = this.plans.filter((plan) => !this.isNewest(plan)).map((plan) => endedNow(plan, to));
    const steps = Map.groupBy(older, ({ invitedAt }) => Math.floor((invitedAt - from) / STEP_MS));
    for (const [, ofStep] of [...steps].sort(([a], [b]) => b - a)) {
      if (signal.aborted) return;
      await this.send(ofStep);
      await pause((ofStep.length / OLDER_CALLS_A_SECOND) * 1_000, signal);
    }
  }

  private isNewest({ invitedAt }: CallPlan): boolean {
    return invitedAt >= this.newestFrom;
  }

  private async send(plans: readonly CallPlan[]): Promise<void> {
    const { to, story, onProgress } = this.options;
    const isPast = ({ outcome }: CallPlan, at: number): boolean => outcome.endedAt <= to || at <= to;
    const records = plans.flatMap((plan) => plannedRecords(plan, story).filter(({ at }) => isPast(plan, at)));
    // The records of a call in one piece: it is never seen as in progress.
    await this.feed.send(records);
    for (const plan of plans) {
      const messages = plannedMessages(plan).filter(({ at }) => isPast(plan, at / 1_000));
      this.feed.addMessages(plan.frontEnd.name, messages);
    }
    await this.feed.settleMessages();
    this.calls += plans.length;
    onProgress(this.calls, this.plans.length);
  }
}
