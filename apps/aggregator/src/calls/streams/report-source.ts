import { frontEndKey } from '../call-keys.js';
import { plausibleTime, type FeedRecord } from '../feed-record.js';

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
/** The day of the previous time: most times are on the same day. */
let today = { number: NaN, text: '' };

/** The same text as `toISOString` of a date, in a sixth of the time: one call has dozens of times. */
export function isoTime(epochMs: number): string {
  const whole = Math.trunc(epochMs);
  const number = Math.floor(whole / DAY_MS);
  if (number !== today.number) {
    const text = new Date(epochMs).toISOString();
    today = { number, text: text.slice(0, text.indexOf('T')) };
  }
  const millis = whole - number * DAY_MS;
  const seconds = Math.floor(millis / 1_000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${today.text}T${clock}.${THREE_DIGITS[millis % 1_000]}Z`;
}

/** A call passes only a few front ends and pools, and is found by each: an invented call must not fill the index. */
export const NAMES_LIMIT = 64;

/** The front ends that the records name, the earliest first, each once regardless of its spelling. */
export function knownFrontEnds(records: readonly FeedRecord[]): readonly string[] {
  return eachOnce(records.flatMap(({ record }) => record.connection.frontEnds)).slice(0, NAMES_LIMIT);
}

/** The feeds of all records, in the same way. */
export function knownFeeds(records: readonly FeedRecord[]): readonly string[] {
  return eachOnce(records.flatMap(({ feed }) => (feed === '' ? [] : feed)));
}

/** The pools that the records name, in the same way. */
export function knownPools(records: readonly FeedRecord[]): readonly string[] {
  const pools = eachOnce(
    records.flatMap(({ record: { connection } }) => [...(connection.pools ?? []), connection.sourcePool ?? []].flat()),
  );
  return pools.slice(0, NAMES_LIMIT);
}

function eachOnce(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) {
    if (!byKey.has(frontEndKey(name))) byKey.set(frontEndKey(name), name);
  }
  return [...byKey.values()];
}

/** A time by the clock of a client. Undefined if it is missing or impossible. */
export function clientTime(text: string | undefined): string | undefined {
  const at = plausibleTime(text);
  return at === undefined ? undefined : isoTime(at);
}
