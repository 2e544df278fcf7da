import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Database } from './database.js';
import { unhurried } from './migrations.js';

/** Another text for each way of making search keys. */
const KEYS = 'tokens with and without domain, media, ids and front ends as shown';

/**
 * Stored calls are found by the tokens of their users as well. With another seed than before these are others: then all
 * calls are marked to be made anew, which happens in the background.
 */
export async function noteSeed(database: Database, hiding: IdentityHiding): Promise<void> {
  // Tells seeds apart without telling what they are, and what calls are found by from what it was before.
  const fingerprint = hiding.token(KEYS);
  await database.write(async (transaction) => {
    const { rowCount } = await transaction.query(
      `insert into identity_seed (fingerprint) values ($1)
       on conflict (one) do update set fingerprint = excluded.fingerprint
       where identity_seed.fingerprint <> excluded.fingerprint`,
      [fingerprint],
    );
    if (rowCount === 1) await transaction.query(unhurried('update calls set stale = true where not stale'));
  });
}
