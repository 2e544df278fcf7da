import { LossBursts, type BurstMeasures } from './loss-bursts.js';

const CYCLE = 65_536;
/** A larger step forward is a new sequence, not loss (RFC 3550, A.1). */
const MAX_DROPOUT = 3_000;
/** A packet that is further back is not a reordered one (RFC 3550, A.1). */
const MAX_MISORDER = 100;
/** Bits of the sequence numbers that may still arrive; a power of two above MAX_MISORDER. */
const WINDOW = 128;
const NONE = -1;

export type Arrival = 'in order' | 'reordered' | 'duplicate' | 'out of range';

export interface SequenceCounts {
  readonly expected: number;
  /** Without duplicates. */
  readonly received: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly reordered: number;
  /** The numbers continued elsewhere: the sender restarted, or more was lost than a receiver would wait for. */
  readonly restarts: number;
  readonly outOfRange: number;
}

/**
 * Counts what arrived and what is missing by the sequence numbers of a stream (RFC 3550, A.1). A number is lost once it is
 * too old to arrive reordered; duplicates do not hide losses, as they do in the count of the RFC. Memory is constant.
 */
export class SequenceNumbers {
  private readonly bursts = new LossBursts();
  private readonly seen = new Int32Array(WINDOW / 32);
  /** Extended by the number of cycles; they begin at one cycle, so that a number before the first is not negative. */
  private base: number;
  private highest: number;
  /** The next number whose fate is decided. */
  private undecided: number;
  /** Of earlier sequences, before a restart. */
  private expectedBefore = 0;
  private uniquePackets = 1;
  private duplicatePackets = 0;
  private reorderedPackets = 0;
  private restarts = 0;
  private outOfRange = 0;
  /** Numbers that another stream has used. */
  private excused = 0;
  /** Where the sequence goes on if it has restarted. */
  private restartAt = NONE;

  constructor(first: number) {
    this.base = first + CYCLE;
    this.highest = this.base;
    this.undecided = this.base;
    this.mark(this.base);
  }

  add(sequence: number): Arrival {
    const step = (sequence - this.highest) & 0xff_ff;
    if (step !== 0 && step < MAX_DROPOUT) return this.advance(step);
    const back = step === 0 ? 0 : CYCLE - step;
    if (back <= MAX_MISORDER) return this.addEarlier(this.highest - back);
    return this.addOutOfRange(sequence);
  }

  /** The highest number, as packets have it. */
  get last(): number {
    return this.highest & 0xff_ff;
  }

  /** Of the numbers whose fate is decided: all but the last hundred. */
  get decided(): { readonly total: number; readonly lost: number } {
    return { total: this.bursts.total, lost: this.bursts.totalLost };
  }

  get burstMeasures(): BurstMeasures {
    return this.bursts.measures;
  }

  get counts(): SequenceCounts {
    const expected = this.expectedBefore + this.highest - this.base + 1 - this.excused;
    return {
      expected,
      received: this.uniquePackets,
      lost: expected - this.uniquePackets,
      duplicates: this.duplicatePackets,
      reordered: this.reorderedPackets,
      restarts: this.restarts,
      outOfRange: this.outOfRange,
    };
  }

  /** A number that another stream has used, as far as its fate is not decided. */
  excuse(sequence: number): void {
    const number = this.highest - ((this.highest - sequence) & 0xff_ff);
    if (number < this.undecided || this.isMarked(number)) return;
    this.mark(number);
    this.excused++;
  }

  /** The stream has ended: nothing that is missing will arrive. */
  end(): void {
    this.decideBefore(this.highest + 1);
  }

  private advance(step: number): Arrival {
    const next = this.highest + step;
    this.decideBefore(next - MAX_MISORDER);
    const oldestToClear = Math.max(this.highest + 1, next - WINDOW + 1);
    for (let number = oldestToClear; number < next; number++) this.unmark(number);
    this.highest = next;
    this.mark(next);
    this.uniquePackets++;
    this.restartAt = NONE;
    return 'in order';
  }

  private addEarlier(number: number): Arrival {
    if (number < this.base) return this.addBeforeFirst(number);
    if (this.isMarked(number)) {
      this.duplicatePackets++;
      return 'duplicate';
    }
    this.mark(number);
    this.uniquePackets++;
    this.reorderedPackets++;
    return 'reordered';
  }

  /** The first packets of a stream may be reordered, too. */
  private addBeforeFirst(number: number): Arrival {
    if (this.undecided !== this.base) return 'out of range';
    for (let each = number; each < this.base; each++) this.unmark(each);
    this.mark(number);
    this.base = number;
    this.undecided = number;
    this.uniquePackets++;
    this.reorderedPackets++;
    return 'reordered';
  }

  /** Two packets in a row elsewhere are a restart of the sequence; a single one is a stray packet. */
  private addOutOfRange(sequence: number): Arrival {
    if (sequence !== this.restartAt) {
      this.outOfRange++;
      this.restartAt = (sequence + 1) & 0xff_ff;
      return 'out of range';
    }
    this.end();
    this.expectedBefore += this.highest - this.base + 2;
    this.outOfRange--;
    this.bursts.onReceived();
    this.base = sequence + CYCLE;
    this.highest = this.base;
    this.undecided = this.base;
    this.mark(this.base);
    this.uniquePackets += 2;
    this.restarts++;
    this.restartAt = NONE;
    return 'in order';
  }

  private decideBefore(end: number): void {
    for (; this.undecided < end && this.undecided <= this.highest; this.undecided++) {
      if (this.isMarked(this.undecided)) this.bursts.onReceived();
      else this.bursts.onLost(1);
    }
    if (this.undecided >= end) return;
    // A dropout that is longer than the window.
    this.bursts.onLost(end - this.undecided);
    this.undecided = end;
  }

  private mark(number: number): void {
    const bit = number & (WINDOW - 1);
    this.seen[bit >> 5] = (this.seen[bit >> 5] ?? 0) | (1 << (bit & 31));
  }

  private unmark(number: number): void {
    const bit = number & (WINDOW - 1);
    this.seen[bit >> 5] = (this.seen[bit >> 5] ?? 0) & ~(1 << (bit & 31));
  }

  private isMarked(number: number): boolean {
    const bit = number & (WINDOW - 1);
    return ((this.seen[bit >> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}
