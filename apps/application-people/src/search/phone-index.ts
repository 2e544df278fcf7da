import type { Scores } from './scores.js';
import { sortedInSlices, type Sliced } from './sliced.js';

/** Fewer digits than these say nothing. */
export const MIN_DIGITS = 3;
const PHONE_WEIGHT = 3;
/** The last digits are what people call a number, a whole number has no others. */
const LAST_DIGITS = 2;
const MANY = 4_096;
/** Behind each number; digits are 1 to 10. */
const END = 0;

/** The digits of a number and whose it is. */
export interface Phone {
  readonly digits: string;
  readonly person: number;
}
const NOBODYS: Phone = { digits: '', person: 0 };

/**
 * Finds telephone numbers by any of their digits that stand together, from `+44 20 7946 0958` to the extension `0958`:
 * nobody writes a number the same way as the directory does. A sorted list of all places in all numbers.
 */
export class PhoneIndex {
  private constructor(
    /** All numbers behind each other. */
    private readonly digits: Uint8Array,
    /** In the order of the digits that begin there. */
    private readonly places: Uint32Array,
    /** Whose number it is, and how many digits there are from there to its end; beside the places. */
    private readonly owners: Uint32Array,
    private readonly lengths: Uint8Array,
  ) {}

  static *from(phones: readonly Phone[]): Sliced<PhoneIndex> {
    const length = phones.reduce((sum, phone) => sum + phone.digits.length + 1, 0);
    const digits = new Uint8Array(length);
    // Beside the digits: which number it is, and how many digits there are from there to its end.
    const numbers = new Uint32Array(length);
    const rests = new Uint8Array(length);
    const places = new Uint32Array(length);
    let [end, count] = [0, 0];
    for (let number = 0; number < phones.length; number++) {
      const phone = phones[number] ?? NOBODYS;
      for (let at = 0; at < phone.digits.length; at++) {
        digits[end + at] = digitOf(phone.digits, at);
        numbers[end + at] = number;
        rests[end + at] = phone.digits.length - at;
        if (at + MIN_DIGITS <= phone.digits.length) places[count++] = end + at;
      }
      end += phone.digits.length + 1;
      if (number % MANY === 0) yield;
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
      lengths[rank] = rests[place] ?? 0;
      if (rank % MANY === 0) yield;
    }
    return new PhoneIndex(digits, sorted, owners, lengths);
  }

  /** Raises everybody with a number that has these digits in a row. */
  score(wanted: string, scores: Scores): void {
    if (wanted.length < MIN_DIGITS) return;
    const from = this.firstBehind(wanted, 0);
    const end = this.firstBehind(wanted, 1);
    // What ends with these digits comes before whatever goes on.
    let ends = from;
    while (ends < end && this.lengths[ends] === wanted.length) ends++;
    scores.raise(this.owners, { from, end: ends, factor: PHONE_WEIGHT * LAST_DIGITS });
    scores.raise(this.owners, { from: ends, end, factor: PHONE_WEIGHT });
  }

  /** Position of the first place whose digits compare to the wanted ones as `least` or more. */
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

  /** Below, at or above 0 as the digits at a place are before, begin with or are behind the wanted ones. */
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
