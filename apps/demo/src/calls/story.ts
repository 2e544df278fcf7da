import type { CallPlan, Side } from './call-plan.js';
import { FAULTY_ACCESS_POINT, FAULTY_TRUNK, ONE_WAY_TRUNK } from './places.js';
import type { Person } from './people.js';

/** What went wrong in the company of the demo, so that there is something to find. */
export interface Story {
  /** The access point on the third floor in Oslo was bad. */
  readonly accessPoint: Period;
  /** The trunk in Oslo answered 503. */
  readonly trunk: Period;
}

export interface Period {
  readonly from: number;
  readonly to: number;
}

const MINUTE = 60_000;

/** Both are less than a day ago, as alert rules look back: the last morning and the last afternoon that are over, by local time. */
export function storyUntil(now: number): Story {
  return { accessPoint: lastPeriod(now, [10, 0], 120), trunk: lastPeriod(now, [15, 20], 10) };
}

function lastPeriod(now: number, begins: readonly [number, number], minutes: number): Period {
  const today = periodOn(now, 0, begins, minutes);
  return today.to <= now ? today : periodOn(now, 1, begins, minutes);
}

function periodOn(now: number, daysAgo: number, [hour, minute]: readonly [number, number], minutes: number): Period {
  const date = new Date(now);
  const from = new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo, hour, minute).getTime();
  return { from, to: from + minutes * MINUTE };
}

export function isDuring({ from, to }: Period, at: number): boolean {
  return at >= from && at < to;
}

/** How bad the network of a person is by itself, 0 to 1: from 0.3 on it is poor, from 0.6 on bad. */
export function networkBadness({ connection, accessPoint }: Person, at: number, story: Story): number {
  if (accessPoint?.bssid === FAULTY_ACCESS_POINT.bssid && isDuring(story.accessPoint, at)) return 0.72;
  return { wired: 0.02, wifi: 0.08, home: 0.14, vpn: 0.27 }[connection];
}

export function isTrunkDown(trunk: string, at: number, story: Story): boolean {
  return trunk === FAULTY_TRUNK.name && isDuring(story.trunk, at);
}

/** Of so many calls over that trunk, one is heard on one side only. */
const UNHEARD_OF = 6;

/** Whether nothing of what this end sends arrives: a gateway behind the trunk sends to an address that nobody can reach. */
export function isUnheard({ seed }: Pick<CallPlan, 'seed'>, side: Side): boolean {
  return side.kind === 'outside' && side.trunk.name === ONE_WAY_TRUNK && seed % UNHEARD_OF === 0;
}
