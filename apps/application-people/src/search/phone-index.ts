import type { Scores } from './scores.js';
import { sortedInSlices, type Sliced } from './sliced.js';

/** Fewer digits match too many numbers. */
export const MIN_DIGITS = 3;
const PHONE_WEIGHT = 3;
/**
 * A match at the end of a number, or of a whole number, ranks higher, since people use the last digits as its short
 * form.
 */
const LAST_DIGITS = 2;
const YIELD_EVERY = 4_096;
/** Terminates each number; digits are 1 to 10. */
const END = 0;

/** The digits of a number and the person who has it. */
export interface IndexedPhone {
  readonly digits: string;
  readonly person: number;
}
const NO_PHONE: IndexedPhone = { digits: '', person: 0 };

/**
 * Finds telephone numbers by any consecutive digits, from `+44 20 7946 0958` to the extension `0958`: people write
 * numbers in other ways than the directory. A sorted list of all positions in all numbers, like a suffix array.
 */
export class PhoneIndex {
  private constructor(
    /** All numbers, one after another. */
    private readonly digits: Uint8Array,
    /** Positions in `digits`, sorted by the digits that begin there. */
    private readonly places: Uint32Array,
    /** The person who has the number, and how many digits remain until its end; parallel to the positions. */
    private readonly owners: Uint32Array,
    private readonly lengths: Uint8Array,
  ) {}

  static *from(phones: readonly IndexedPhone[]): Sliced<PhoneIndex> {
    const length = phones.reduce((sum, phone) => sum + phone.digits.length + 1, 0);
    const digits = new Uint8Array(length);
    // Parallel to the digits: the number that they belong to, and how many digits remain until its end.
    const numbers = new Uint32Array(length);
    const remaining = new Uint8Array(length);
    const places = new Uint32Array(length);
    let [end, count] = [0, 0];
    for (let number = 0; number < phones.length; number++) {
      const phone = phones[number] ?? NO_PHONE;
      for (let at = 0; at < phone.digits.length; at++) {
        digits[end + at] = digitOf(phone.digits, at);
        numbers[end + at] = number;
        remaining[end + at] = phone.digits.length - at;
        if (at + MIN_DIGITS <= phone.digits.length) places[count++] = end + at;
      }
      end += phone.digits.length + 1;
      if (number % YIELD_EVERY === 0) yield;
    }
    const sorted = yield* sortedInSlices(places.slice(0, count), (a, b) => {
      let at = 0;
      while (digits[a + at] === digits[b + at] && digits[a + at] !== END) at++;
      return (digits[a + at] ?? END) - (digits[b + at] ?? END);
    });
    const owners = new Uint32Array(count);
    const lengths = new Uint8Array(count);
    for (let rank = 0; rank < count; rank++) {
      const place = sorted[rank] ?? 0;
      owners[rank] = phones[numbers[place] ?? 0]?.person ?? 0;
      lengths[rank] = remaining[place] ?? 0;
      if (rank % YIELD_EVERY === 0) yield;
    }
    return new PhoneIndex(digits, sorted, owners, lengths);
  }

  /** Raises the score of everyone with a number that contains these digits in a row. */
  score(wanted: string, scores: Scores): void {
    if (wanted.length < MIN_DIGITS) return;
    const from = this.firstBehind(wanted, 0);
    const end = this.firstBehind(wanted, 1);
    // Positions where the number ends with these digits are sorted before those where it continues.
    let ends = from;
    while (ends < end && this.lengths[ends] === wanted.length) ends++;
    scores.raise(this.owners, { from, end: ends, factor: PHONE_WEIGHT * LAST_DIGITS });
    scores.raise(this.owners, { from: ends, end, factor: PHONE_WEIGHT });
  }

  /** The first position whose digits compare to the wanted ones as `least` or more. */
  private firstBehind(wanted: string, least: number): number {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(this.places[middle] ?? 0, wanted) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Negative, 0 or positive when the digits at a position are before, begin with or are after the wanted ones. */
  private compare(place: number, wanted: string): number {
    for (let at = 0; at < wanted.length; at++) {
      const difference = (this.digits[place + at] ?? END) - digitOf(wanted, at);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

const ZERO = 48;

function digitOf(digits: string, at: number): number {
  return digits.charCodeAt(at) - ZERO + 1;
}
