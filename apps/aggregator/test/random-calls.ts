import { array, boolean, constantFrom, integer, option, record, subarray, type Arbitrary } from 'fast-check';

export const [MINUTE, HOUR] = [60, 3_600];
/** Seconds since 1970 from which calls are made: hours that have ended long ago. */
export const FROM = Math.floor(Date.now() / 1_000 / HOUR) * HOUR - 12 * HOUR;
export const LENGTH = 5 * HOUR;
const KEYS = ['trunk:north', 'trunk:south', 'trunk:hidden-0123456789abcdef', 'device:sonora', 'pool:p1', 'hop:edge 1'];

export const iso = (second: number): string => new Date((FROM + second) * 1_000).toISOString();
const time = (second: number | null): string | null => (second === null ? null : iso(second));

/** Multiples of half a minute among others, so that ends, beginnings, minutes and hours meet. */
const moments: Arbitrary<number> = integer({ min: -2, max: LENGTH / 30 }).chain((half) =>
  constantFrom(half * 30, half * 30 + 7, Math.round((half * 30) / HOUR) * HOUR),
);
const addresses = subarray(['10.1.0.1', '10.2.0.1', '192.0.2.1'], { maxLength: 2 });
const streams = array(
  record({
    startedAt: option(moments.map(time)),
    endedAt: option(moments.map(time)),
    average: integer({ min: 0, max: 5 }).map((n) => n * 21_333.3),
    maximum: integer({ min: 0, max: 5 }).map((n) => n * 100_000),
    addresses,
  }),
  { maxLength: 3 },
);
/** A call of rows of `calls`, of whatever state. */
export const randomCall = record({
  number: integer({ min: 0, max: 149 }),
  began: moments,
  length: option(
    integer({ min: -1, max: 240 }).map((half) => half * 30),
    { freq: 8 },
  ),
  gone: integer({ min: 0, max: 9 }).map((n) => n === 0),
  uploaded: integer({ min: 0, max: 9 }).map((n) => n === 0),
  state: constantFrom('ended', 'failed'),
  isRefused: boolean(),
  verdict: constantFrom('good', 'bad', 'unknown'),
  front_ends: subarray(['fe1', 'fe2']),
  keys: subarray(KEYS),
  addresses,
  media: streams,
});
export type RandomCall = typeof randomCall extends Arbitrary<infer C> ? C : never;
