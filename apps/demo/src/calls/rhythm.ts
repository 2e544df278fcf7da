import { createHash } from 'node:crypto';
import { SeededRandom } from '@ringdown/generated-calls';
import { isDuring, type Story } from './story.js';

const HOUR = 3_600_000;
/** Calls an hour from midnight on: people call in office hours, less at lunch, on each day of the week: a weekend has as much to find. */
const BY_HOUR = [2, 1, 1, 1, 2, 4, 14, 42, 96, 124, 138, 118, 74, 104, 132, 120, 92, 54, 26, 14, 9, 7, 5, 3];
/** So many begin an hour as there are in the live part, which the last hour approaches. */
const LIVE_RATE = 420;
const APPROACH_MS = 14 * 60_000;
/** People try again when a trunk rejects their calls. */
const RETRIES = 3;

/** Calls an hour that begin at this time. */
export function callsAnHour(at: number, now: number, story: Story): number {
  const usual = (BY_HOUR[new Date(at).getHours()] ?? 0) * (isDuring(story.trunk, at) ? RETRIES : 1);
  return Math.max(usual, LIVE_RATE * Math.exp(-(now - at) / APPROACH_MS));
}

export interface Beginning {
  readonly at: number;
  /** Seed of the call. */
  readonly seed: string;
}

export interface RhythmOptions {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  readonly story: Story;
}

/** A minute has the same calls in every run with this seed, except in the last hours, which depend on the end. */
export function beginnings({ seed, from, to, story }: RhythmOptions): readonly Beginning[] {
  const minutes = Math.max(0, Math.ceil((to - from) / 60_000));
  const first = Math.floor(from / 60_000);
  const all = Array.from({ length: minutes + 1 }, (_, index) => ofMinute(first + index));
  return all.flat().filter(({ at }) => at >= from && at < to);

  function ofMinute(minute: number): readonly Beginning[] {
    const random = new SeededRandom(seedNumber(`${seed} ${minute}`));
    const expected = (callsAnHour(minute * 60_000, to, story) * 60_000) / HOUR;
    const calls = Math.floor(expected) + (random.fraction() < expected % 1 ? 1 : 0);
    return Array.from({ length: calls }, (_, index) => {
      return { at: Math.round((minute + random.fraction()) * 60_000), seed: `${seed} ${minute} ${index}` };
    }).sort((a, b) => a.at - b.at);
  }
}

export function seedNumber(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE();
}
