import type { Call } from '../calls/call.js';
import type { LivePosition } from './live-position.js';

/** What one message has published: calls in their state at that time. */
export interface LiveChange {
  readonly position: LivePosition;
  /** The position of the message before it. */
  readonly before: LivePosition;
  readonly calls: readonly Call[];
}

/** A change whose message is parsed on demand: usually no one follows, and parsing all would be expensive. */
export class PublishedChange implements LiveChange {
  private known: readonly Call[] | undefined;
  private read: (() => readonly Call[]) | undefined;

  /** `characters`: of its JSON. `read` returns no calls when it is not known which ones have changed. */
  constructor(
    readonly position: LivePosition,
    readonly before: LivePosition,
    readonly characters: number,
    read: () => readonly Call[],
  ) {
    this.read = read;
  }

  get calls(): readonly Call[] {
    this.known ??= this.read?.() ?? [];
    // The text is not needed any more.
    this.read = undefined;
    return this.known;
  }

  /** How many calls it holds in memory. */
  get callsRead(): number {
    return this.known?.length ?? 0;
  }
}

export interface RecentChangesOptions {
  /** The maximum of calls and of characters of JSON that are kept. */
  readonly calls: number;
  readonly characters: number;
}

/** The newest changes of calls, for returning readers. */
export class RecentChanges {
  private changes: PublishedChange[] = [];
  /** The number of calls in the changes that were parsed. */
  private calls = 0;
  private characters = 0;
  /** Everything after this position is kept. */
  private start: LivePosition | undefined;
  private last: LivePosition | undefined;

  constructor(private readonly options: RecentChangesOptions) {}

  /** Undefined before anything is known about the changes. */
  get newest(): LivePosition | undefined {
    return this.last;
  }

  /** Keeps changes from here on; earlier ones are not known, or not completely. */
  begin(position: LivePosition): void {
    this.changes = [];
    this.count();
    this.start = position;
    this.last = position;
  }

  add(change: PublishedChange): void {
    this.changes.push(change);
    this.calls += change.callsRead;
    this.characters += change.characters;
    this.last = change.position;
    while (this.calls > this.options.calls || this.characters > this.options.characters) this.evictOldest();
  }

  /** Everything after that position, the oldest first; undefined when it is not known what there was. */
  since({ epoch, sequence, storedAt }: LivePosition): readonly LiveChange[] | undefined {
    const { start, last } = this;
    if (start === undefined || last === undefined || epoch !== start.epoch) return undefined;
    if (sequence < start.sequence || sequence > last.sequence) return undefined;
    const there = this.changes.find(({ position }) => position.sequence === sequence)?.position ?? start;
    if (there.storedAt !== storedAt) return undefined;
    const missed = this.changes.filter(({ position }) => position.sequence > sequence);
    return this.isReplayable(missed) ? missed : undefined;
  }

  /**
   * Parses them, the newest first: a change that exceeds the limit or is not known makes all changes before it useless.
   */
  private isReplayable(missed: readonly PublishedChange[]): boolean {
    let calls = 0;
    for (const { calls: published, position } of missed.toReversed()) {
      calls += published.length;
      if (published.length > 0 && calls <= this.options.calls) continue;
      this.evictUpTo(position);
      return false;
    }
    this.count();
    return true;
  }

  private evictUpTo(start: LivePosition): void {
    this.changes = this.changes.filter(({ position }) => position.sequence > start.sequence);
    this.start = start;
    this.count();
  }

  private evictOldest(): void {
    const oldest = this.changes.shift();
    if (oldest === undefined) return;
    this.calls -= oldest.callsRead;
    this.characters -= oldest.characters;
    this.start = oldest.position;
  }

  private count(): void {
    this.calls = this.changes.reduce((sum, { callsRead }) => sum + callsRead, 0);
    this.characters = this.changes.reduce((sum, { characters }) => sum + characters, 0);
  }
}
