/** The most that a record waits for those of other senders, milliseconds. Storing a message takes 1 to 5. */
export const LINGER_MS = 4;
/** For so long it counts how many senders have waited at the same time, and up to twice as long. */
const REMEMBERED_MS = 100;
/** With fewer senders there is little to share, and one that posts again when it has its reply would be slowed down. */
const LEAST_SENDERS = 3;
/** So many records cost a message little more for each than more do. */
const ENOUGH = 32;
/**
 * Of more senders, only so many are waited for: while their records are stored, those of the others are read. If all are waited for,
 * senders that post as soon as they are answered all wait at the same time, and nothing is read meanwhile.
 */
const SHARE = 0.5;

/** Which senders have records in a set, however many. */
class Senders {
  private readonly records = new Map<object, number>();

  get size(): number {
    return this.records.size;
  }

  add(sender: object): void {
    this.records.set(sender, (this.records.get(sender) ?? 0) + 1);
  }

  delete(sender: object): void {
    const left = (this.records.get(sender) ?? 0) - 1;
    if (left > 0) this.records.set(sender, left);
    else this.records.delete(sender);
  }
}

/**
 * Decides how long records in a queue wait for those of other senders, so that one message has the records of all: only if
 * several senders have waited at the same time shortly before, and not longer than until that many, or enough of many, wait again. Has no timer;
 * `now` is of one clock that never goes back, milliseconds.
 */
export class Linger {
  private readonly queued = new Senders();
  private readonly unanswered = new Senders();
  /** The most senders that were unanswered at once, in this period and in the one before. */
  private most = 0;
  private mostBefore = 0;
  private periodEnds = 0;

  /** To be called when a record is added to the queue. */
  add(sender: object, now: number): void {
    this.queued.add(sender);
    this.unanswered.add(sender);
    this.beginPeriod(now);
    this.most = Math.max(this.most, this.unanswered.size);
  }

  /** To be called when a record leaves the queue, to be stored. */
  take(sender: object): void {
    this.queued.delete(sender);
  }

  /** To be called when a record is stored, or cannot be. */
  answer(sender: object): void {
    this.unanswered.delete(sender);
  }

  /** For how many milliseconds the queue still waits; 0: its records are to be stored now. `oldestAt`: when the first of them came. */
  left(now: number, oldestAt: number): number {
    this.beginPeriod(now);
    const others = Math.max(this.most, this.mostBefore);
    const enough = Math.min(others, Math.max(ENOUGH, others * SHARE));
    if (others < LEAST_SENDERS || this.queued.size >= enough) return 0;
    return Math.max(0, oldestAt + LINGER_MS - now);
  }

  private beginPeriod(now: number): void {
    if (now < this.periodEnds) return;
    this.mostBefore = now < this.periodEnds + REMEMBERED_MS ? this.most : 0;
    this.most = this.unanswered.size;
    this.periodEnds = now + REMEMBERED_MS;
  }
}
