import { hash, verify } from '@node-rs/argon2';
import { BoundedSemaphore, type BoundedSemaphoreOptions } from '@ringdown/concurrency';
import { normalize } from '@ringdown/linear-text';
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { busyWhenFull } from '../people/directory.js';

/** OWASP's least recommended cost of argon2id: 19 MiB, two passes, one lane; about 10 ms here. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Letters and digits that cannot be confused when typing: 32 of them, five bits each. */
const TYPEABLE = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Converted to the composed Unicode form first: the same keys give different bytes on different systems. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalize(password, 'NFC'), COST);
}

/** 100 random bits as `xxxxx-xxxxx-xxxxx-xxxxx`. */
export function generatePassword(): string {
  const letters = [...randomBytes(20)].map((byte) => TYPEABLE.charAt(byte % TYPEABLE.length)).join('');
  return letters.replaceAll(/(.{5})(?=.)/g, '$1-');
}

export type PasswordCheckOptions = BoundedSemaphoreOptions;

/** One core stays free for other work; the queue holds about a second of work. */
export function defaultPasswordChecks(): PasswordCheckOptions {
  const concurrency = Math.max(1, Math.min(4, availableParallelism() - 1));
  return { concurrency, queueLength: concurrency * 64 };
}

/**
 * Checks passwords a few at a time: each needs a core for about 10 ms and 19 MiB, so a flood of sign-ins would
 * otherwise block everything else in the process.
 */
export class PasswordChecks {
  private readonly semaphore: BoundedSemaphore;

  private constructor(
    options: PasswordCheckOptions,
    private readonly placeholderHash: string,
  ) {
    this.semaphore = new BoundedSemaphore(options);
  }

  static async create(options: PasswordCheckOptions): Promise<PasswordChecks> {
    return new PasswordChecks(options, await hashPassword(generatePassword()));
  }

  /** False without a hash, after the same work as with one. Throws `DirectoryBusy` when the queue is full. */
  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    const matched = await this.semaphore
      .runExclusive(() => verify(passwordHash ?? this.placeholderHash, normalize(password, 'NFC')))
      .catch(busyWhenFull);
    return matched && passwordHash !== undefined;
  }
}
