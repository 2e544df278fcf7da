import type { Call, CallsInProgress } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { addRow, facetCountsCopy, countsWithout, NO_COUNTS, type Counting, type FacetCounts } from './facets.js';
import { compareRows, liveCallRow, type CallRow } from '../parts/call-row.js';

/** How long an ended call stays in the list, in milliseconds: a bad or failed one longer. */
const KEEP_ENDED_MS = 15_000;
const KEEP_BAD_MS = 300_000;
/** Bounds the list and its memory if many calls end badly. */
const MAX_ENDED = 1_000;
/** Of calls since the last snapshot: a view that is paused or in the background requests none. */
const MAX_CHANGED = 20_000;

/** What the view renders. A new snapshot is made only after a change; unchanged rows are the same objects. */
export interface LiveSnapshot {
  readonly rows: readonly CallRow[];
  /** Number of calls in progress, including those that are not listed (yet). */
  readonly inProgress: number;
  /** How many of them are in `rows`. */
  readonly listed: number;
  /** Of those that are not listed yet. */
  readonly unlisted: FacetCounts;
}

/**
 * Folds the live stream into a sorted list. Events are cheap and accepted at any rate; {@link commit} makes the next
 * snapshot from all of them at once, as often as the screen is drawn.
 */
export class LiveCallList {
  private readonly rowsById = new Map<string, CallRow>();
  private readonly changed = new Map<string, CallRow | undefined>();
  /** Calls in events since the last snapshot, until its pages have been added. */
  private reported: Set<string> | undefined;
  /** Rows from before the last snapshot of which it is not known yet whether they are in its total. */
  private readonly unreported = new Set<string>();
  /** When the oldest call in the last snapshot began: it has the newest ones, so that a later call is none of those that it left out. */
  private oldest = 0;
  private readonly removeAt = new Map<string, number>();
  private sorted: readonly CallRow[] = [];
  private inProgress = 0;
  private unlisted = 0;
  private unlistedCounts = facetCountsCopy(NO_COUNTS);
  private isRecounted = false;
  private known = false;
  private snapshot: LiveSnapshot = { rows: [], inProgress: 0, listed: 0, unlisted: NO_COUNTS };

  /** Whether the server has sent a snapshot; before that, an empty list says nothing. */
  get isKnown(): boolean {
    return this.known;
  }

  /** Whether every call in progress is listed. */
  get isWhole(): boolean {
    return this.unlisted === 0 && this.reported === undefined;
  }

  /** Replaces all calls in progress. Calls that are missing now ended while the stream was disconnected. */
  replace({ calls, total, counts }: CallsInProgress, now: number): void {
    this.known = true;
    this.unlisted = 0;
    this.recount(facetCountsCopy(NO_COUNTS));
    this.reported = new Set();
    this.unreported.clear();
    for (const { callId, state } of this.rowsById.values()) if (isInProgress(state)) this.unreported.add(callId);
    for (const call of calls) this.upsert(call, now);
    this.unlisted = Math.max(0, total - calls.length);
    if (this.unlisted === 0) return this.endFill();
    this.oldest = Math.min(...calls.map(({ beganAt }) => Date.parse(beganAt)));
    const listed = [...this.reported, ...this.unreported].flatMap((callId) => this.rowsById.get(callId) ?? []);
    if (counts !== undefined) this.recount(countsWithout(counts, listed));
  }

  /**
   * Adds or updates a call. Older states are ignored, because pages and the stream arrive in any order. `isNew` is false
   * for a call that existed before, which then was one of those missing in the list. The stream may begin with a later
   * version of a new call: it leaves out versions for slow readers.
   */
  upsert(call: Call, now: number, isNew = call.version === 1 || Date.parse(call.beganAt) > this.oldest): void {
    const { callId } = call;
    this.reported?.add(callId);
    if (this.unreported.delete(callId) && this.unlisted > 0) this.unlisted--;
    const known = this.rowsById.get(callId);
    if (known !== undefined && known.version >= call.version) return;
    const row = liveCallRow(call);
    if (known === undefined && !isNew && this.unlisted > 0) this.list(row);
    this.put(row);
    if (isInProgress(row.state)) this.removeAt.delete(callId);
    else this.removeAt.set(callId, now + (row.rank < 3 ? KEEP_BAD_MS : KEEP_ENDED_MS));
    this.forgetOldest(now);
  }

  /** All pages have been added: calls that neither they nor the stream contain are over. */
  endFill(): void {
    const { reported } = this;
    if (reported === undefined) return;
    this.reported = undefined;
    this.unlisted = 0;
    this.unreported.clear();
    this.recount(facetCountsCopy(NO_COUNTS));
    for (const { callId, state } of this.rowsById.values()) {
      if (isInProgress(state) && !reported.has(callId)) this.remove(callId);
    }
  }

  /** Not all pages could be fetched: the list stays shorter than the total. */
  cancelFill(): void {
    this.reported = undefined;
  }

  /** The next snapshot; the same object as before when nothing changed. */
  commit(now: number): LiveSnapshot {
    for (const [callId, at] of this.removeAt) if (at <= now) this.remove(callId);
    if (this.changed.size > 0) {
      const added = [...this.changed.values()].filter((row) => row !== undefined).toSorted(compareRows);
      this.sorted = mergeSorted(
        this.sorted.filter(({ callId }) => !this.changed.has(callId)),
        added,
      );
      this.changed.clear();
    }
    const inProgress = this.inProgress - this.unreported.size + this.unlisted;
    const { rows, ...counts } = this.snapshot;
    const isSame = rows === this.sorted && counts.inProgress === inProgress && counts.listed === this.inProgress;
    if (!isSame || this.isRecounted) {
      const unlisted = this.isRecounted ? facetCountsCopy(this.unlistedCounts) : counts.unlisted;
      this.snapshot = { rows: this.sorted, inProgress, listed: this.inProgress, unlisted };
    }
    this.isRecounted = false;
    return this.snapshot;
  }

  /** A call of which only the kind was known is in the list now. */
  private list(row: CallRow): void {
    this.unlisted--;
    addRow(this.unlistedCounts, row, -1);
    this.isRecounted = true;
  }

  private recount(unlisted: Counting): void {
    this.unlistedCounts = unlisted;
    this.isRecounted = true;
  }

  /** With each event, and not at the next commit: a page that is paused or in the background may not commit for hours. */
  private forgetOldest(now: number): void {
    for (const oldest of this.removeAt.size > MAX_ENDED ? this.removeAt.keys().take(1) : []) this.remove(oldest);
    if (this.changed.size > MAX_CHANGED) this.commit(now);
  }

  private put(row: CallRow): void {
    const known = this.rowsById.get(row.callId);
    this.inProgress += Number(isInProgress(row.state)) - Number(known !== undefined && isInProgress(known.state));
    this.rowsById.set(row.callId, row);
    this.changed.set(row.callId, row);
  }

  private remove(callId: string): void {
    const row = this.rowsById.get(callId);
    this.removeAt.delete(callId);
    if (row === undefined) return;
    this.inProgress -= Number(isInProgress(row.state));
    this.unreported.delete(callId);
    this.rowsById.delete(callId);
    this.changed.set(callId, undefined);
  }
}

/** Two sorted lists as one. */
function mergeSorted(a: readonly CallRow[], b: readonly CallRow[]): readonly CallRow[] {
  const all: CallRow[] = [];
  let at = 0;
  for (const row of b) {
    for (let next = a[at]; next !== undefined && compareRows(next, row) < 0; next = a[++at]) all.push(next);
    all.push(row);
  }
  return [...all, ...a.slice(at)];
}
