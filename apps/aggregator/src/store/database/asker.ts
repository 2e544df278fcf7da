import { AsyncLocalStorage } from 'node:async_hooks';

const askers = new AsyncLocalStorage<string>();

/** The reads that `work` begins count as those of this user, see {@link LongReads}. */
export function askedBy<T>(username: string, work: () => T): T {
  return askers.run(username, work);
}

/** Undefined for what the service reads for itself. */
export function currentAsker(): string | undefined {
  return askers.getStore();
}
