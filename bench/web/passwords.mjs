// The minimum cost of a sign-in: one argon2id check, with the parameters of the product, as many at once as it allows.
import { availableParallelism } from 'node:os';
import { hashPassword, PasswordChecks } from '@ringdown/directory/passwords';
import { closedLoop } from './closed-loop.mjs';

export async function checkPasswords(seconds) {
  const concurrency = Math.max(1, Math.min(4, availableParallelism() - 1));
  const checks = await PasswordChecks.create({ concurrency, queueLength: 64 });
  const hash = await hashPassword('correct horse battery');
  return closedLoop(() => checks.matches(hash, 'correct horse battery'), { clients: concurrency, seconds });
}
