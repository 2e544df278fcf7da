import { errorReason } from '@ringdown/errors';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { eachWithinTime } from '@ringdown/time-limit';
import type { Waiting } from '../../calls/life/call-life.js';
import type { Call } from '../../calls/call.js';
import {
  deriveCall,
  type CallHistory,
  type CallRules,
  type DerivedCall,
  type DeriveCall,
} from '../../calls/derive-call.js';
import type { Database } from '../database/database.js';
import { countExpired } from '../feed/front-end-rows.js';
import { lockAt, type PartitionAt } from '../feed/positions.js';
import { knownCalls, type KnownCall } from './known-calls.js';
import { callRow, upsertCalls, type CallToStore, type ChangedCall } from './rows.js';
import type { Transaction } from '../database/transaction.js';

const WAITS: readonly Waiting['timeout'][] = ['invite', 'call', 'ended'];

/** Which calls to check again, and how far their partition has been read by then. */
export interface CallBatch extends PartitionAt {
  readonly callKeys: readonly string[];
}

export interface IdleCallsOptions {
  readonly database: Database;
  readonly rules: CallRules;
  /** For the tokens by which calls can also be found. */
  readonly hiding?: IdentityHiding | undefined;
  /** The longest time for processing one call. */
  readonly limitMs: number;
  readonly logger: Logger;
  readonly derive?: DeriveCall;
}

/** How long a call that could not be processed is left alone, and how many such calls are remembered. */
const SUSPENDED_MS = 3_600_000;
const MAX_SUSPENDED = 10_000;

/** Changes calls without a new record: time-outs, and rows written by an older program. */
export class IdleCalls {
  private readonly database: Database;
  private readonly rules: CallRules;
  private readonly derive: DeriveCall;
  /** By call key, the time until which it is left alone; the earliest time first. */
  private readonly suspended = new Map<string, number>();

  constructor(private readonly options: IdleCallsOptions) {
    this.database = options.database;
    this.rules = options.rules;
    this.derive = options.derive ?? deriveCall;
  }

  /**
   * Keys of calls that have waited for too long at `now`, milliseconds of the database's clock, in pages: all of them,
   * regardless of what happens to the earlier ones. Within each kind, the longest waiting calls come first.
   */
  async *overdue(now: number, atOnce: number): AsyncGenerator<readonly string[]> {
    for (const timeout of WAITS) {
      const until = new Date(now - this.rules.timeouts[timeout]);
      yield* this.pages(
        `select call_key, waits_since::text as place from calls
         where waits_for = $4 and waits_since <= $5 and (waits_since, call_key) > ($1::timestamptz, $2)
         order by waits_since, call_key limit $3`,
        atOnce,
        { place: '-infinity', more: [timeout, until] },
      );
    }
  }

  /** Keys of calls that an older program has stored, in pages. */
  stale(atOnce: number): AsyncGenerator<readonly string[]> {
    const sql = `select call_key, $1::text as place from calls where stale and call_key > $2 order by call_key limit $3`;
    return this.pages(sql, atOnce, { place: '', more: [] });
  }

  /**
   * Calls that expired at a time in the future, by a clock that was ahead, are checked again with the {@link stale}
   * ones: a state from the future does not count.
   */
  async reopenExpiredAhead(): Promise<void> {
    const ahead = `state = 'expired' and looked_at > now() and not stale`;
    // Mostly there is none: to plan the update for all weeks takes ten times as long as to look.
    const { rowCount } = await this.database.read((transaction) =>
      transaction.query(`select from calls where ${ahead} limit 1`),
    );
    if (rowCount === 0) return;
    await this.database.write((transaction) => transaction.query(`update calls set stale = true where ${ahead}`));
  }

  /** Applies the time-outs that are due at `now`; returns the changed calls in their new state. */
  timeOut(batch: CallBatch, now: number): Promise<readonly Call[]> {
    const change = (known: KnownCall): CallToStore | undefined => {
      const { records, history, waits } = known;
      if (!waits) return undefined;
      const next = { checkedAt: Math.max(now, history.checkedAt ?? 0), revisions: history.revisions + 1 };
      const derived = this.derive(records, this.rules, next);
      // A record that has arrived since the call was found is another reason to wait.
      return derived.waiting === undefined ? withSameRecords(known, derived, next) : undefined;
    };
    return this.recheck(batch, change, (transaction, changed) => {
      const expired = changed.filter(({ state }) => state === 'expired');
      return countExpired(transaction, batch.partition, expired, now);
    });
  }

  /** Rebuilds calls from their records, with the rules of this program. */
  rebuild(batch: CallBatch): Promise<readonly Call[]> {
    return this.recheck(batch, (known) => {
      const { records, history, stale } = known;
      if (!stale) return undefined;
      const next: CallHistory = { ...history, revisions: history.revisions + 1 };
      return withSameRecords(known, this.derive(records, this.rules, next), next);
    });
  }

  /**
   * Holds the partition meanwhile, like a batch does; does nothing when the partition has been read further than `batch`
   * says. Another replica may have changed the calls since they were found: `change` gets their current state.
   */
  private recheck(
    { callKeys: found, ...at }: CallBatch,
    change: (known: KnownCall) => CallToStore | undefined,
    count: (transaction: Transaction, changed: readonly Call[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<readonly Call[]> {
    return this.database.write(async (transaction) => {
      if (!(await lockAt(transaction, at))) return [];
      const callKeys = found.filter((key) => !this.isSuspended(key));
      const known = await knownCalls(transaction, callKeys);
      const changed = await this.changed([...known], change);
      await upsertCalls(transaction, changed);
      // A call whose records are gone cannot be rebuilt.
      const gone = callKeys.filter((key) => !known.has(key));
      if (gone.length > 0) {
        await transaction.query(
          'update calls set stale = false, waits_for = null, waits_since = null where call_key = any($1)',
          [gone],
        );
      }
      const calls = changed.map(({ call }) => call);
      await count(transaction, calls);
      return calls;
    });
  }

  /** A call that cannot be processed stays unchanged and does not prevent others from being changed. */
  private async changed(
    known: readonly (readonly [string, KnownCall])[],
    change: (known: KnownCall) => CallToStore | undefined,
  ): Promise<readonly ChangedCall[]> {
    const { limitMs, hiding, logger } = this.options;
    const outcomes = await eachWithinTime(limitMs, known, ([, each]) => {
      const changed = change(each);
      return changed === undefined ? [] : [{ ...changed, row: callRow(changed, hiding) }];
    });
    return outcomes.flatMap((outcome, index) => {
      if (outcome.ok) return outcome.value;
      const [callKey = ''] = known[index] ?? [];
      this.suspend(callKey);
      logger.error(
        { callKey, reason: errorReason(outcome.error) },
        'a stored call could not be processed; it is left unchanged',
      );
      return [];
    });
  }

  private suspend(callKey: string): void {
    this.suspended.delete(callKey);
    this.suspended.set(callKey, performance.now() + SUSPENDED_MS);
    const [first] = this.suspended.size > MAX_SUSPENDED ? this.suspended.keys() : [];
    if (first !== undefined) this.suspended.delete(first);
  }

  private isSuspended(callKey: string): boolean {
    const until = this.suspended.get(callKey);
    return until !== undefined && performance.now() < until;
  }

  /** `sql` gets the place and the key at which the previous page ended, and the length of a page. */
  private async *pages(
    sql: string,
    atOnce: number,
    first: { readonly place: string; readonly more: readonly unknown[] },
  ): AsyncGenerator<readonly string[]> {
    let after = { place: first.place, call_key: '' };
    for (;;) {
      const { rows } = await this.database.read((transaction) =>
        transaction.query<typeof after>(sql, [after.place, after.call_key, atOnce, ...first.more]),
      );
      if (rows.length > 0) yield rows.map(({ call_key }) => call_key);
      const last = rows.at(-1);
      if (last === undefined || rows.length < atOnce) return;
      after = last;
    }
  }
}

function withSameRecords(
  { records, storedOn, packed, hasRecordRows }: KnownCall,
  derived: DerivedCall,
  history: CallHistory,
): CallToStore {
  return { ...derived, records, history, storedOn, packed, hasRecordRows };
}
