import type { IdentityHiding } from '@ringdown/identity-hiding';
import { admit, changesCall } from '../../calls/life/admission.js';
import type { CallRules } from '../../calls/derive-call.js';
import type { FeedRecord } from '../../calls/feed-record.js';
import { fold, type Fold, type FoldCall } from '../../calls/fold.js';
import { knownCalls, UNKNOWN_CALL, type KnownCall, type LargeCall } from './known-calls.js';
import { processed } from './processed-calls.js';
import { recordStorage, type Incoming, type RecordStorage } from './record-storage.js';
import { callRow, type CallRow, type CallToStore } from './rows.js';
import type { Transaction } from '../database/transaction.js';

/** The incoming records of one call. */
export interface CallRecords {
  readonly key: string;
  readonly records: readonly FeedRecord[];
}

/** `waited`: as `waits` in `KnownCall`. */
export type FoldedNow = Fold &
  CallToStore &
  Pick<RecordStorage, 'recordRows'> & {
    readonly waited: boolean;
    /** Undefined when nothing has changed. */
    readonly row: CallRow | undefined;
  };

/** Some calls of a batch. */
export interface FoldedChunk {
  /** Large calls to which nothing was added are omitted. */
  readonly folds: readonly FoldedNow[];
  readonly refused: readonly FeedRecord[];
}

export interface FoldOptions {
  readonly rules: CallRules;
  /** The longest time for processing one call. */
  readonly limitMs: number;
  readonly foldCall?: FoldCall;
  /** For the tokens by which calls can also be found. */
  readonly hiding?: IdentityHiding | undefined;
}

interface CallToFold extends CallRecords {
  readonly stored: KnownCall;
}

/** Folds incoming records into calls; loads large calls only when they have room for a new record. */
export async function foldCalls(
  options: FoldOptions,
  transaction: Transaction,
  calls: readonly CallRecords[],
  known: ReadonlyMap<string, KnownCall | LargeCall>,
  incoming: Incoming,
): Promise<FoldedChunk> {
  const small: CallToFold[] = [];
  const large: CallRecords[] = [];
  const refused: FeedRecord[] = [];
  for (const call of calls) {
    const stored = known.get(call.key) ?? UNKNOWN_CALL;
    if ('records' in stored) {
      small.push({ ...call, stored });
      continue;
    }
    const admission = admit(stored.identities, stored.extent, call.records);
    if (changesCall(admission)) large.push(call);
    else refused.push(...admission.refused);
  }
  const folds = [...(await foldLoaded(options, small, incoming))];
  // One after another, as their records need much memory.
  for (const call of large) {
    const stored = (await knownCalls(transaction, [call.key])).get(call.key) ?? UNKNOWN_CALL;
    folds.push(...(await foldLoaded(options, [{ ...call, stored }], incoming)));
  }
  return { folds, refused: [...refused, ...folds.flatMap((each) => each.refused)] };
}

function foldLoaded(
  { limitMs, rules, foldCall = fold, hiding }: FoldOptions,
  calls: readonly CallToFold[],
  incoming: Incoming,
): Promise<readonly FoldedNow[]> {
  const keyOf = ({ key }: CallToFold): string => key;
  return processed(limitMs, calls, keyOf, ({ records, stored }) => {
    const { history, storedOn, waits: waited } = stored;
    const folded = foldCall(stored.records, records, rules, history);
    const call = { ...folded, history, storedOn, ...recordStorage(folded, stored, incoming) };
    // Here, because each limit of time is watched by a thread of its own.
    return { ...call, waited, row: changesCall(folded) ? callRow(call, hiding) : undefined };
  });
}
