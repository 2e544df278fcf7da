import type { Bus } from '@ringdown/bus';
import { setting, type SettingValues } from '@ringdown/settings';
import { LocalWindows, SharedWindows } from './counted-windows.js';
import { Turns } from './turns.js';

const MAX = 1_000_000;

export const signInLimitSettings = {
  perAddress: setting.integer('SIGN_INS_PER_ADDRESS', {
    default: 600,
    min: 1,
    max: MAX,
    about: 'Token requests a minute from one address (IPv6: one /64), counted by each replica for itself',
  }),
  perAccount: setting.integer('SIGN_INS_PER_ACCOUNT', {
    default: 300,
    min: 1,
    max: MAX,
    about: 'Sign-ins a minute with one username, right or wrong, over all replicas',
  }),
  failuresPerAccount: setting.integer('SIGN_IN_FAILURES', {
    default: 10,
    min: 1,
    max: MAX,
    about: 'Wrong passwords for one username after which it has to wait, over all replicas',
  }),
  failureSeconds: setting.integer('SIGN_IN_FAILURE_SECONDS', {
    default: 900,
    min: 1,
    max: 86_400,
    about: 'How long wrong passwords count, from the first; seconds',
  }),
};

/** Too many requests: of this address, of this account, or with wrong passwords. */
export class SignInLimitReached extends Error {
  override readonly name = 'SignInLimitReached';
  constructor(readonly retryAfterSeconds: number) {
    super('too many sign-ins');
  }
}

export interface SignInLimitsOptions {
  readonly bus: Bus;
  readonly settings: SettingValues<typeof signInLimitSettings>;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

const MINUTE_MS = 60_000;

/**
 * What keeps passwords from being guessed. All limits are the same for names that are somebody's and names that are
 * nobody's, so that they tell nothing either. Tokens that were issued stay good while their account has to wait.
 */
export class SignInLimits {
  private readonly turns = new Turns();

  private constructor(
    private readonly addresses: LocalWindows,
    private readonly accounts: SharedWindows,
    private readonly failures: SharedWindows,
  ) {}

  static async open({ bus, settings, ...clock }: SignInLimitsOptions): Promise<SignInLimits> {
    const minute = { ...clock, windowMs: MINUTE_MS };
    const addresses = new LocalWindows({ ...minute, limit: settings.perAddress });
    const accounts = await SharedWindows.open({ ...minute, bus, bucket: 'SIGN_INS', limit: settings.perAccount });
    const failures = await SharedWindows.open({
      ...clock,
      bus,
      bucket: 'SIGN_IN_FAILURES',
      windowMs: settings.failureSeconds * 1000,
      limit: settings.failuresPerAccount,
    });
    return new SignInLimits(addresses, accounts, failures);
  }

  /** Counts a request of an IP address. Throws {@link SignInLimitReached}. */
  admitAddress(ip: string): void {
    refuseWhile(this.addresses.add(networkOf(ip)));
  }

  /**
   * Runs one sign-in of an account; `authenticate` gives undefined for a wrong password. One after the other for each
   * account, so that guesses at the same time do not slip through together. Throws {@link SignInLimitReached}.
   */
  signIn<T>(account: string, authenticate: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.turns.take(account, async () => {
      const failed = await this.failures.look(account);
      refuseWhile(failed.waitMs ?? (await this.accounts.add(account)));
      const result = await authenticate();
      if (result === undefined) await this.failures.add(account);
      else if (!failed.isClear) await this.failures.forget(account);
      return result;
    });
  }
}

function refuseWhile(waitMs: number | undefined): void {
  if (waitMs !== undefined) throw new SignInLimitReached(Math.max(1, Math.ceil(waitMs / 1000)));
}

/** An IPv6 customer has a network of addresses: its first four groups. An IPv4 address counts by itself. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip;
  const [head = '', tail] = ip.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...after];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
