import type { TracedMessage } from '@ringdown/contracts/traces';
import { SeededRandom, type ScriptedRecord } from '@ringdown/generated-calls';
import { sideAddress, endedNow, type CallPlan } from './call-plan.js';
import { people } from './people.js';
import { planCallOf, planCalls, type PlanOptions } from './plan-calls.js';
import { seedNumber } from './rhythm.js';
import { RunningCall } from './running-call.js';

export interface OfficeOptions extends PlanOptions {
  readonly seed: number;
}

/** How many calls there are: up and down in some minutes; the legs of conferences come on top of them. */
const [FEWEST, MOST] = [34, 40];
const SWING_MS = 90_000;
/** The calls of the first moment began in this time before it, and go on for a while. */
const BEGAN_BEFORE_MS = 12 * 60_000;
const GO_ON_MS = 15_000;
const ANSWERED_AFTER_MS = 60_000;
/** A new call began at most so long ago. */
const JUST_NOW_MS = 250;

/** Of the first users of a new system: one of them is always on a call, as their presence shows. */
export const ALWAYS_TALKING = people.slice(0, 2);
/** Longer than it takes to answer a call: the next one begins so long before the last one ends. */
const TAKES_OVER_MS = 20_000;
const TALKS_AT_LEAST_MS = 60_000;

/** The calls of an office from one moment on: 30 to 50 at a time that begin, ring, change and end. */
export class Office {
  private running: RunningCall[] = [];
  private readonly random: SeededRandom;
  private planned = 0;
  /** Those that have begun here. */
  calls = 0;

  constructor(
    private readonly options: OfficeOptions,
    private readonly opensAt: number,
  ) {
    this.random = new SeededRandom(seedNumber(`${options.seed} live ${opensAt}`));
  }

  /** Calls that have begun already and of which everything until `sentUntil` is sent, and what follows from them. */
  continue(unfinished: readonly CallPlan[], sentUntil: number): void {
    this.running.push(...unfinished.map((plan) => this.runningOf(plan, sentUntil)));
  }

  /** The calls of the first moment, as if they had been there before. */
  open(): void {
    const { opensAt } = this;
    this.keepTalking(opensAt, opensAt - ANSWERED_AFTER_MS);
    while (this.openAt(opensAt) < FEWEST) {
      const plans = this.plan(Math.round(opensAt - this.random.between(0, BEGAN_BEFORE_MS)));
      this.add(plans.filter(({ outcome }) => outcome.endedAt > opensAt + GO_ON_MS));
    }
  }

  beginUntil(now: number): void {
    const middle = (FEWEST + MOST) / 2;
    const wanted = middle + ((MOST - FEWEST) / 2) * Math.sin(now / SWING_MS);
    this.keepTalking(now, now);
    while (this.openAt(now) < wanted) this.add(this.plan(now - Math.round(this.random.between(0, JUST_NOW_MS))));
  }

  /** What is due and was not returned before, in the order of time. */
  recordsUntil(at: number): readonly ScriptedRecord[] {
    return this.running.flatMap((call) => call.recordsUntil(at)).sort((a, b) => a.at - b.at);
  }

  /** The same for messages, by the name of the front end. */
  messagesUntil(at: number): readonly (readonly [string, readonly TracedMessage[]])[] {
    const due = this.running.map((call) => [call.frontEnd, call.messagesUntil(at)] as const);
    this.running = this.running.filter((call) => !call.isDone);
    return due.filter(([, messages]) => messages.length > 0);
  }

  openAt(at: number): number {
    return this.running.filter((call) => call.isOpenAt(at)).length;
  }

  /** Calls that have begun are hung up or cancelled, the others never begin. */
  close(at: number): void {
    const begun = this.running.filter((call) => call.hasBegun || call.isOpenAt(at));
    this.running = begun.map((call) => call.replacedBy(endedNow(call.plan, at)));
  }

  private keepTalking(now: number, begins: number): void {
    const own = this.running.map(({ plan }) => plan).filter((plan) => isOfThem(plan));
    if (own.some(({ outcome }) => outcome.kind === 'talk' && outcome.endedAt > now + TAKES_OVER_MS)) return;
    const busy = this.busyPeople();
    const person = ALWAYS_TALKING.find(({ address }) => !busy.has(address)) ?? ALWAYS_TALKING[0];
    if (person === undefined) return;
    const beginning = { at: begins, seed: this.nextSeed() };
    const plan = planCallOf(person, beginning, { ...this.options, busy: this.notForOthers() });
    this.add([lastingUntil(plan, now + TAKES_OVER_MS + TALKS_AT_LEAST_MS)]);
  }

  private plan(at: number): readonly CallPlan[] {
    return planCalls({ at, seed: this.nextSeed() }, { ...this.options, busy: this.notForOthers() });
  }

  private nextSeed(): string {
    return `${this.options.seed} live ${this.random.whole(0, 0xffff_ffff)} ${this.planned++}`;
  }

  private notForOthers(): ReadonlySet<string> {
    return this.busyPeople().union(new Set(ALWAYS_TALKING.map(({ address }) => address)));
  }

  /** A person has one call at a time, as far as there are people. */
  private busyPeople(): ReadonlySet<string> {
    return new Set(this.running.flatMap(({ plan }) => [plan.caller, plan.callee].map(sideAddress)));
  }

  private add(plans: readonly CallPlan[]): void {
    this.calls += plans.length;
    this.running.push(...plans.map((plan) => this.runningOf(plan, -Infinity)));
  }

  private runningOf(plan: CallPlan, sentUntil: number): RunningCall {
    return new RunningCall(plan, this.options.story, sentUntil);
  }
}

function isOfThem({ caller, callee }: CallPlan): boolean {
  return [caller, callee].some((side) => side.kind === 'person' && ALWAYS_TALKING.includes(side.person));
}

function lastingUntil(plan: CallPlan, at: number): CallPlan {
  const { outcome } = plan;
  return outcome.endedAt >= at ? plan : { ...plan, outcome: { ...outcome, endedAt: at } };
}
