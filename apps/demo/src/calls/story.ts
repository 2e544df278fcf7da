import type { CallPlan, Side } from './call-plan.js';
import { isSpoilt, spoilsMedia, type Culprit } from './culprits.js';
import { driverOf, FAULTY_HEADSET, type Person } from './people.js';
import {
  DRIVERS,
  FAULTY_ACCESS_POINT,
  FAULTY_TRUNK,
  MORE_TRUNKS,
  ONE_WAY_TRUNK,
  TRUNKS,
  type Trunk,
} from './places.js';

/** What went wrong in the company of the demo, so that there is something to find. */
export interface Story {
  /** The access point on the third floor in Oslo was bad. */
  readonly accessPoint: Period;
  /** The trunk in Oslo answered 503. */
  readonly trunk: Period;
  /** In place of all that: one thing is wrong all the time, or nothing. */
  readonly instead?: { readonly culprit: Culprit | undefined };
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

const NEVER: Period = { from: 0, to: 0 };

/** A company in which this is wrong, and nothing else. */
export function storyOfCulprit(culprit: Culprit | undefined): Story {
  return { accessPoint: NEVER, trunk: NEVER, instead: { culprit } };
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

/** From 0.3 on it is poor, from 0.6 on bad, also in the direction that suffers less. */
const SPOILT = 0.8;

/** How bad the media of this end are by themselves, 0 to 1. */
export function sideBadness(plan: CallPlan, side: Side, at: number, story: Story): number {
  const usual = side.kind === 'person' ? networkBadness(side.person, at, story) : 0.03;
  const culprit = story.instead?.culprit;
  const isBad = culprit !== undefined && spoilsMedia(plan, side, culprit) && isSpoilt(plan, culprit);
  return isBad ? Math.max(usual, SPOILT) : usual;
}

function networkBadness({ connection, accessPoint }: Person, at: number, story: Story): number {
  if (accessPoint?.bssid === FAULTY_ACCESS_POINT.bssid && isDuring(story.accessPoint, at)) return 0.72;
  return { wired: 0.02, wifi: 0.08, home: 0.14, vpn: 0.27 }[connection];
}

export function isTrunkDown(trunk: string, at: number, story: Story): boolean {
  return trunk === FAULTY_TRUNK.name && isDuring(story.trunk, at);
}

/** Those of the company. */
export function trunksOf({ instead }: Story): readonly [Trunk, ...Trunk[]] {
  return instead === undefined ? TRUNKS : MORE_TRUNKS;
}

/** Whether the trunk, or the session border controller before it, answers 503. */
export function isRefused(plan: CallPlan, { name, border }: Trunk, { instead }: Story): boolean {
  const culprit = instead?.culprit;
  if (culprit === undefined) return false;
  const { kind, value } = culprit;
  const isCulprit = (kind === 'trunk' && value === name) || (kind === 'hop' && value === border);
  return isCulprit && isSpoilt(plan, culprit);
}

/** Who answers it then. */
export function refusingGateway({ gateway, border }: Trunk, { instead }: Story): string {
  return instead?.culprit?.kind === 'hop' ? (border ?? gateway) : gateway;
}

/** Whether the microphone of this person echoes in the call. */
export function hasEcho(plan: CallPlan, { headset }: Person, { instead }: Story): boolean {
  if (instead === undefined) return headset === FAULTY_HEADSET;
  const { culprit } = instead;
  return culprit?.kind === 'headset' && culprit.value === headset && isSpoilt(plan, culprit);
}

export function wifiDriver(person: Person, { instead }: Story): string {
  return instead === undefined ? DRIVERS[0] : driverOf(person);
}

/** Of so many calls over that trunk, one is heard on one side only. */
const UNHEARD_OF = 6;

/** Whether nothing of what this end sends arrives: a gateway behind the trunk sends to an address that nobody can reach. */
export function isUnheard({ seed }: Pick<CallPlan, 'seed'>, side: Side, { instead }: Story): boolean {
  if (instead !== undefined) return false;
  return side.kind === 'outside' && side.trunk.name === ONE_WAY_TRUNK && seed % UNHEARD_OF === 0;
}
