import type { Call } from '../calls/call.js';
import type { LivePosition } from './live-position.js';

/** What one message has told: calls in their state of then. */
export interface LiveChange {
  readonly position: LivePosition;
  readonly calls: readonly Call[];
}

export interface RecentChangesOptions {
  /** Calls and characters of JSON that are kept at the most. */
  readonly calls: number;
  readonly characters: number;
}

interface Kept extends LiveChange {
  readonly characters: number;
}

/** The newest changes of calls, for readers that come back. */
export class RecentChanges {
  private kept: Kept[] = [];
  private calls = 0;
  private characters = 0;
  /** Everything after this position is kept. */
  private start: LivePosition | undefined;
  private last: LivePosition | undefined;

  constructor(private readonly options: RecentChangesOptions) {}

  /** Undefined before anything was heard of the changes. */
  get newest(): LivePosition | undefined {
    return this.last;
  }

  /** Changes from here on; those before are not known, or not all of them. */
  begin(position: LivePosition): void {
    this.kept = [];
    this.calls = 0;
    this.characters = 0;
    this.start = position;
    this.last = position;
  }

  add(change: LiveChange, characters: number): void {
    this.kept.push({ ...change, characters });
    this.calls += change.calls.length;
    this.characters += characters;
    this.last = change.position;
    while (this.calls > this.options.calls || this.characters > this.options.characters) this.forgetOne();
  }

  /** Everything after that position, the oldest first; undefined when it is not known what there was. */
  since({ epoch, sequence }: LivePosition): readonly LiveChange[] | undefined {
    const { start, last } = this;
    if (start === undefined || last === undefined || epoch !== start.epoch) return undefined;
    if (sequence < start.sequence || sequence > last.sequence) return undefined;
    return this.kept.filter(({ position }) => position.sequence > sequence);
  }

  private forgetOne(): void {
    const oldest = this.kept.shift();
    if (oldest === undefined) return;
    this.calls -= oldest.calls.length;
    this.characters -= oldest.characters;
    this.start = oldest.position;
  }
}
