import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../random/seeded-random.js';
import { pause } from '../sending/play.js';
import { addressOf, endedNow, type CallPlan } from './call-plan.js';
import type { DemoFeed } from './demo-feed.js';
import { planCalls, type PlanOptions } from './plan-calls.js';
import { numberOf } from './rhythm.js';
import { RunningCall } from './running-call.js';

export interface LiveOptions extends PlanOptions {
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly onProgress: (open: number, begun: number) => void;
  /** The clock, milliseconds since 1970. */
  readonly now: () => number;
}

const TICK_MS = 250;
/** How many calls are in progress: between these two, up and down in some minutes. */
const [FEWEST, MOST] = [35, 43];
const SWING_MS = 90_000;
/** The calls of the first moment began in this time before it, and go on for a while. */
const BEGAN_BEFORE_MS = 12 * 60_000;
const GO_ON_MS = 15_000;
/** The BYE of the caller is on its way to the front end. */
const ENDS_AFTER_MS = 50;
const REPORTS_AFTER_MS = 1_200;

/** Keeps 30 to 50 calls going that begin, ring, change and end, until it is stopped; then it ends those that are open. */
export class LiveCalls {
  private running: RunningCall[] = [];
  private readonly random: SeededRandom;
  private planned = 0;
  /** Those that have begun here. */
  calls = 0;

  constructor(
    private readonly feed: DemoFeed,
    private readonly options: LiveOptions,
  ) {
    this.random = new SeededRandom(numberOf(`${options.seed} live ${options.now()}`));
  }

  /** `unfinished`: calls that have begun already and of which everything until `sentUntil` is sent, and what follows from them. */
  async run(unfinished: readonly CallPlan[], sentUntil: number): Promise<void> {
    const { signal, now } = this.options;
    const from = now();
    this.running = unfinished.map((plan) => this.runningOf(plan, sentUntil));
    while (!signal.aborted && this.openAt(from) < FEWEST) this.beginBefore(from);
    while (!signal.aborted) {
      const at = now();
      this.beginUntil(at);
      await this.sendDue(at);
      this.options.onProgress(this.openAt(at), this.calls);
      await pause(TICK_MS, signal);
    }
    await this.endAll(now() + ENDS_AFTER_MS);
  }

  /** Fills the first moment, as if the calls had been there before. */
  private beginBefore(now: number): void {
    const at = Math.round(now - this.random.between(0, BEGAN_BEFORE_MS));
    const plans = this.plan(at).filter(({ outcome }) => outcome.endedAt > now + GO_ON_MS);
    this.add(plans, -Infinity);
  }

  private beginUntil(now: number): void {
    const middle = (FEWEST + MOST) / 2;
    const wanted = middle + ((MOST - FEWEST) / 2) * Math.sin(now / SWING_MS);
    while (this.openAt(now) < wanted) this.add(this.plan(now - Math.round(this.random.between(0, TICK_MS))), -Infinity);
  }

  private plan(at: number): readonly CallPlan[] {
    const seed = `${this.options.seed} live ${this.random.whole(0, 0xffff_ffff)} ${this.planned++}`;
    return planCalls({ at, seed }, { ...this.options, busy: this.busyPeople() });
  }

  /** A person has one call at a time, as far as there are people. */
  private busyPeople(): ReadonlySet<string> {
    return new Set(this.running.flatMap(({ plan }) => [plan.caller, plan.callee].map(addressOf)));
  }

  private add(plans: readonly CallPlan[], sentUntil: number): void {
    this.calls += plans.length;
    this.running.push(...plans.map((plan) => this.runningOf(plan, sentUntil)));
  }

  private runningOf(plan: CallPlan, sentUntil: number): RunningCall {
    return new RunningCall(plan, this.options.story, sentUntil);
  }

  private openAt(at: number): number {
    return this.running.filter((call) => call.isOpenAt(at)).length;
  }

  private async sendDue(at: number): Promise<void> {
    const due = this.running.flatMap((call) => call.recordsUntil(at));
    for (const call of this.running) this.feed.addMessages(call.frontEnd, call.messagesUntil(at));
    await this.feed.send(due.sort((a, b) => a.at - b.at));
    this.running = this.running.filter((call) => !call.isDone);
  }

  /** Nothing stays open: calls that have begun are hung up or cancelled, the others never begin. */
  private async endAll(at: number): Promise<void> {
    const begun = this.running.filter((call) => call.hasBegun || call.isOpenAt(at));
    this.running = begun.map((call) => call.replacedBy(endedNow(call.plan, at)));
    await this.sendDue(at);
    await sleep(REPORTS_AFTER_MS);
    await this.sendDue(Number.POSITIVE_INFINITY);
    await this.feed.settleMessages();
  }
}
