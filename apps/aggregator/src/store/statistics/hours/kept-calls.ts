import type { CallFilter, Conditions } from '../../../search/filter/call-filter.js';
import type { Transaction } from '../../database/transaction.js';
import type { Span } from './counted-time.js';
import { keptWithin, type CountedCall, type CountedCalls } from './hour-calls.js';
import { keptConditions } from './kept-conditions.js';

/** Reads kept calls that match a filter. Each question is one row: rows of their own took ten times as long to send and to read. */
export class KeptCalls {
  private constructor(
    private readonly transaction: Transaction,
    private readonly conditionsOf: () => Conditions,
  ) {}

  static async of(transaction: Transaction, filter: CallFilter): Promise<KeptCalls> {
    return new KeptCalls(transaction, await keptConditions(transaction, filter));
  }

  /** One call of `oneOf` that began in the spans. `isWanted`: keys that are facts. */
  async read(spans: readonly Span[], oneOf: number, isWanted: (key: string) => boolean): Promise<CountedCalls> {
    const columns = await this.select<Columns>(
      spans,
      oneOf,
      `json_agg(json_build_array(call_key, at, problems, known, code, refused_by)) as calls, string_agg(facts, '') as facts`,
    );
    const lists = listsIn(columns?.facts ?? '');
    const { keys, indexOf } = await this.keysOf(lists, isWanted);
    const rows = (columns?.calls ?? []).map(([callKey, at, problems, known, code, refusing], n): CountedCall => {
      const facts = (lists[n] ?? []).map(indexOf).filter(isKnown);
      return { callKey, at, problems, known, code, facts, refusedBy: refusedBy(refusing, indexOf) };
    });
    return { keys, rows };
  }

  /** Aggregates of `hour_calls` in SQL. */
  async select<R extends object>(spans: readonly Span[], oneOf: number, aggregates: string): Promise<R | undefined> {
    const conditions = this.conditionsOf();
    conditions.always(keptWithin(spans, oneOf, (value) => conditions.placeholder(value)));
    const { rows } = await this.transaction.query<R & Record<string, unknown>>(
      `select ${aggregates} from hour_calls ${conditions.where}`,
      conditions.values,
    );
    return rows[0];
  }

  private async keysOf(lists: readonly (readonly number[])[], isWanted: (key: string) => boolean): Promise<KnownKeys> {
    const ids = new Set<number>();
    for (const list of lists) for (const id of list) ids.add(id);
    const { rows } = await this.transaction.query<{ id: number; key: string }>(
      'select id, key from call_facts where id = any($1::integer[])',
      [[...ids]],
    );
    const wanted = rows.filter(({ key }) => isWanted(key));
    const indexes = new Int32Array(wanted.reduce((most, { id }) => Math.max(most, id), 0) + 1).fill(UNKNOWN);
    for (const [index, { id }] of wanted.entries()) indexes[id] = index;
    return { keys: wanted.map(({ key }) => key), indexOf: (id) => indexes[id] ?? UNKNOWN };
  }
}

const UNKNOWN = -1;

interface KnownKeys {
  readonly keys: readonly string[];
  readonly indexOf: (id: number) => number;
}

/** Of each call, in the same order. */
interface Columns {
  readonly calls:
    | readonly (readonly [
        callKey: string,
        at: number,
        problems: number,
        known: number,
        code: number | null,
        refusedBy: number | null,
      ])[]
    | null;
  readonly facts: string | null;
}

function isKnown(index: number): boolean {
  return index !== UNKNOWN;
}

function refusedBy(id: number | null, indexOf: KnownKeys['indexOf']): number | undefined {
  const index = id === null ? UNKNOWN : indexOf(id);
  return index === UNKNOWN ? undefined : index;
}

const [COMMA, ZERO] = [44, 48];

/** The numbers of each call: a comma that is behind no number begins the next one. */
export function listsIn(text: string): readonly (readonly number[])[] {
  const lists: number[][] = [];
  let list: number[] = [];
  let number = UNKNOWN;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== COMMA) number = (number === UNKNOWN ? 0 : number * 10) + code - ZERO;
    else if (number === UNKNOWN) lists.push((list = []));
    else {
      list.push(number);
      number = UNKNOWN;
    }
  }
  return lists;
}
