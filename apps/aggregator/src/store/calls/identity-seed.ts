import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Database } from '../database/database.js';
import { unhurried } from '../database/migrations.js';

/** Change this text whenever search keys are made in a different way. */
const KEYS = 'tokens with a letter, with and without domain, media, ids and front ends as shown';

/**
 * Stored calls can also be found by the tokens of their users. With a new seed the tokens change: then all calls are
 * marked to be rebuilt, which happens in the background.
 */
export async function noteSeed(database: Database, hiding: IdentityHiding): Promise<void> {
  // Distinguishes seeds without revealing them, and different kinds of search keys.
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
