import type { ReadRecord } from '@ringdown/contracts/records';
import { callKey } from '../../calls/call-keys.js';
import { IN_PROGRESS, type Call } from '../../calls/call.js';
import { feedRecord, type FeedRecord } from '../../calls/feed-record.js';
import type { Fold } from '../../calls/fold.js';
import { countImpossibleValues } from '../../calls/streams/impossible-values.js';
import type { Counted } from '../feed/front-end-rows.js';
import type { FoldedNow } from './fold-calls.js';

export interface Committed {
  /** In their new state. */
  readonly calls: readonly Call[];
  /** Those that are over now and were in progress, or not known, before. */
  readonly completed: readonly Call[];
  readonly added: number;
  /** Copies that front ends have sent. */
  readonly duplicates: number;
  /** Copies of records that were read before reading started over. */
  readonly reread: number;
  /** Metrics of the added records whose value cannot be. */
  readonly impossibleValues: number;
  /** Records that their call has no room for. */
  readonly refused: readonly ReadRecord[];
}

export interface BatchRecords {
  readonly partition: number;
  readonly records: readonly ReadRecord[];
  /** As in `ReadBatch`. */
  readonly rereadUntil?: number | undefined;
}

/** What becomes of the records of one batch. */
export class BatchTally {
  readonly partition: number;
  readonly incoming: ReadonlyMap<FeedRecord, ReadRecord>;
  readonly counted: Counted;
  private readonly calls: Call[] = [];
  private readonly completed: Call[] = [];
  private readonly refused: ReadRecord[] = [];
  private readonly rereadUntil: number;
  private reread = 0;

  constructor({ partition, records, rereadUntil = -Infinity }: BatchRecords) {
    this.partition = partition;
    this.rereadUntil = rereadUntil;
    this.incoming = new Map(records.map((published) => [feedRecord(published), published]));
    this.counted = { kept: new Set(this.incoming.keys()), added: new Set(), late: new Set() };
  }

  /** The keys of its calls. */
  get callKeys(): readonly string[] {
    return [...this.incoming.keys()].map(({ record }) => callKey(record.connection.callId));
  }

  fold(each: FoldedNow): void {
    if (each.added.length > 0) this.calls.push(each.call);
    if (completes(each)) this.completed.push(each.call);
    for (const record of each.added) this.counted.added.add(record);
    for (const record of lateOnes(each)) this.counted.late.add(record);
  }

  refuse(record: FeedRecord): void {
    this.refused.push(...[this.incoming.get(record) ?? []].flat());
    this.counted.kept.delete(record);
  }

  /** To be called when all its calls are folded: copies that reading has caused do not count as those of front ends. */
  end(): void {
    const { kept, added } = this.counted;
    const reread = [...kept].filter((record) => {
      return !added.has(record) && (this.incoming.get(record)?.storedAt ?? Infinity) <= this.rereadUntil;
    });
    for (const record of reread) kept.delete(record);
    this.reread = reread.length;
  }

  get committed(): Committed {
    const { calls, completed, refused, reread } = this;
    const { kept, added } = this.counted;
    const duplicates = kept.size - added.size;
    const impossibleValues = countImpossibleValues(added);
    return { calls, completed, added: added.size, duplicates, reread, impossibleValues, refused };
  }
}

function completes({ call, storedOn, waited }: FoldedNow): boolean {
  return !IN_PROGRESS.includes(call.state) && (waited || storedOn === undefined);
}

/** The new records that arrived after the call was considered complete. */
function lateOnes({ added, call: { settlesAt } }: Fold): readonly FeedRecord[] {
  return settlesAt === null ? [] : added.filter(({ receivedAt }) => receivedAt > Date.parse(settlesAt));
}
