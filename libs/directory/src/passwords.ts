import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { DirectoryBusy } from './people.js';

/** OWASP's least recommended cost of argon2id: 19 MiB, two passes, one lane; about 10 ms here. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Letters and digits that nobody mistakes for another when typing: 32 of them, five bits each. */
const TYPEABLE = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Composed form first: the same key presses give different bytes on different systems. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST);
}

/** 100 random bits as `xxxxx-xxxxx-xxxxx-xxxxx`. */
export function generatePassword(): string {
  const letters = [...randomBytes(20)].map((byte) => TYPEABLE.charAt(byte % TYPEABLE.length)).join('');
  return letters.replaceAll(/(.{5})(?=.)/g, '$1-');
}

export interface PasswordCheckOptions {
  /** How many passwords are checked at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly queueLength: number;
}

/**
 * Checks passwords a few at a time: each costs a core for about 10 ms and 19 MiB, so a flood of sign-ins would
 * otherwise stop everything else in the process.
 */
export class PasswordChecks {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  private constructor(
    private readonly options: PasswordCheckOptions,
    private readonly nobodysHash: string,
  ) {}

  static async create(options: PasswordCheckOptions): Promise<PasswordChecks> {
    return new PasswordChecks(options, await hashPassword(generatePassword()));
  }

  /** False without a hash, after the same work as with one. Throws {@link DirectoryBusy} when too many wait. */
  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    await this.turn();
    try {
      const matched = await verify(passwordHash ?? this.nobodysHash, password.normalize('NFC'));
      return matched && passwordHash !== undefined;
    } finally {
      this.next();
    }
  }

  private turn(): Promise<void> {
    if (this.running < this.options.concurrency) {
      this.running++;
      return Promise.resolve();
    }
    if (this.waiting.length >= this.options.queueLength) return Promise.reject(new DirectoryBusy(1));
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Hands this check's place to the one that has waited longest. */
  private next(): void {
    const longest = this.waiting.shift();
    if (longest) longest();
    else this.running--;
  }
}
