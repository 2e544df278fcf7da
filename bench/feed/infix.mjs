/**
 * The same search for a part of a text in the same tables, two ways: by the index of the aggregator, and by `ilike` over
 * the same texts without an index. Whole calls, which Homer searches by `ilike`, are sealed (ADR 0118), and no text for the database.
 */
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { Conditions } from '../../apps/aggregator/dist/src/search/filter/call-filter.js';

const ASKED = 5;
const PAGE = 'order by began_at desc, call_key desc limit 51';
/** Each returns the text of the query and its values. */
const WAYS = {
  'our index': (word) => {
    const { where, values } = new Conditions({ words: [word], searchesIdentities: true });
    return [`select call from calls ${where} ${PAGE}`, values];
  },
  'ILIKE, the same texts': (word) => [
    `select call from calls where (shown_text || identity_text) ilike $1 ${PAGE}`,
    [`%${word}%`],
  ],
};
/** Parts of one call, of the calls of one user, and of none. */
const PARTS = {
  'one Call-ID': (n) => partOfCallId(n),
  'one user': (n) => `ser${(n * 37) % 5_000}@`,
  'no call': (n) => `absent${n}`,
};

/** Ten characters of a Call-ID that `fillHistory` makes. */
export function partOfCallId(n) {
  return createHash('md5')
    .update(`${1_000 + n} 3`)
    .digest('hex')
    .slice(7, 17);
}

/** As the aggregator reads. */
export async function inTransaction(database, sql, values) {
  await database.query('begin');
  const result = await database.query(sql, values);
  await database.query('commit');
  return result;
}

/** Returns rows of `{ way, part, p50, worst }`, in milliseconds, in turns. */
export async function compareWays(server) {
  const database = new Client({ connectionString: server.url });
  await database.connect();
  try {
    const times = new Map();
    for (let n = 0; n < ASKED; n++) {
      for (const [part, textOf] of Object.entries(PARTS)) {
        for (const [way, queryOf] of Object.entries(WAYS)) {
          const began = performance.now();
          await inTransaction(database, ...queryOf(textOf(n)));
          const key = JSON.stringify({ part, way });
          times.set(
            key,
            [...(times.get(key) ?? []), performance.now() - began].sort((a, b) => a - b),
          );
        }
      }
    }
    return [...times].map(([key, all]) => ({ ...JSON.parse(key), p50: all[all.length >> 1], worst: all.at(-1) }));
  } finally {
    await database.end();
  }
}
