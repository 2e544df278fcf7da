/**
 * Whether each acknowledged record is in the database, once: what front ends got an answer for, beside what is stored. A record is known
 * by its call and kind, because its id is given by the collector.
 */
import { unpackRecords } from '../../apps/aggregator/dist/src/store/records/packed-records.js';
import { callIdOf } from './traffic.mjs';

/** Bits of a call's byte: which of its records were acknowledged. Its other half has those posted without such an answer. */
export const KINDS = ['start', 'ended', 'caller', 'callee'];
const UNANSWERED = 4;

/** What became of the records of calls with numbers from `from` on. */
export class Ledger {
  #calls = [];

  constructor(from) {
    this.from = from;
  }

  note(number, what, isAcknowledged) {
    const bit = 1 << (KINDS.indexOf(what) + (isAcknowledged ? 0 : UNANSWERED));
    this.#calls[number - this.from] = (this.#calls[number - this.from] ?? 0) | bit;
  }

  /** A byte for each call. */
  bytes() {
    return Uint8Array.from(this.#calls, (bits) => bits ?? 0);
  }
}

/**
 * `bytes`: of {@link Ledger}. `storedOf`: the stored records of a call key, `{ records, places }`; `places`: how often the call is there.
 * Returns `{ acknowledged, lost, doubled }`: records that were acknowledged and are not stored, and records or calls that are there
 * more often than they were posted. One without an answer may be stored or not.
 */
export function compareLedger({ from, bytes, storedOf }) {
  const found = { acknowledged: 0, lost: 0, doubled: 0 };
  for (const [index, bits] of bytes.entries()) {
    const acknowledged = countBits(bits & 0b1111);
    const posted = countBits((bits | (bits >> UNANSWERED)) & 0b1111);
    const { records, places } = storedOf(callIdOf(from + index).toLowerCase()) ?? { records: 0, places: 0 };
    found.acknowledged += acknowledged;
    found.lost += Math.max(0, acknowledged - records);
    found.doubled += Math.max(0, records - posted) + Math.max(0, places - 1);
  }
  return found;
}

function countBits(bits) {
  let count = 0;
  for (let rest = bits; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

/** Stored records and rows of each call that has any, by its key, of all calls that the database has. */
export async function storedCalls(database) {
  const calls = new Map();
  const callOf = (key) => calls.get(key) ?? calls.set(key, { records: 0, places: 0 }).get(key);
  const { rows: packed } = await database.query(
    'select call_key, packed_records from calls where packed_records is not null',
  );
  for (const row of packed) callOf(row.call_key).records += unpackRecords(row.packed_records).length;
  // Those of calls that have no more room.
  const { rows: records } = await database.query(
    'select call_key, count(*)::integer as count from records group by call_key',
  );
  for (const { call_key: key, count } of records) callOf(key).records += count;
  const { rows: places } = await database.query(
    'select call_key, count(*)::integer as count from calls group by call_key',
  );
  for (const { call_key: key, count } of places) callOf(key).places = count;
  return calls;
}
