import { KeyedMutex, RateLimit } from '@ringdown/concurrency';
import type { Bus } from '@ringdown/nats';
import type { Account, SignInResult } from '@ringdown/directory';
import { clientNetwork } from '@ringdown/node-http';
import type { SettingValues } from '@ringdown/settings';
import type { signInLimitSettings } from '../sign-in-limit-settings.js';
import { SharedWindows, type CountedEvents } from './shared-windows.js';

/** Too many requests: from this address, for this account, or with wrong passwords. */
export class SignInLimitReached extends Error {
  override readonly name = 'SignInLimitReached';
  constructor(readonly retryAfterSeconds: number) {
    super('too many sign-ins');
  }
}

export interface SignInLimitsOptions {
  readonly bus: Bus;
  readonly settings: SettingValues<typeof signInLimitSettings>;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** One sign-in. */
export interface SignInAttempt {
  /** In its canonical form. */
  readonly name: string;
  readonly password: string;
  readonly find: () => Promise<Account>;
}

const MINUTE_MS = 60_000;

/**
 * Limits that prevent passwords from being guessed. All limits are the same for existing and unknown names, so that
 * they do not disclose which names exist. Tokens that were issued stay valid while their account has to wait.
 */
export class SignInLimits {
  private readonly mutex = new KeyedMutex();

  private constructor(
    private readonly addresses: RateLimit,
    private readonly accounts: SharedWindows,
    private readonly failures: SharedWindows,
  ) {}

  static async open({ bus, settings, ...clock }: SignInLimitsOptions): Promise<SignInLimits> {
    const minute = { ...clock, windowMs: MINUTE_MS };
    const addresses = new RateLimit({ ...minute, limit: settings.perAddress });
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
    const waitSeconds = this.addresses.add(clientNetwork(ip));
    if (waitSeconds !== undefined) throw new SignInLimitReached(waitSeconds);
  }

  /**
   * Checks a password; undefined for a wrong one. Checks for the same name run one after another, so that concurrent
   * guesses do not exceed the limit together. Throws {@link SignInLimitReached}.
   */
  signIn({ name, password, find }: SignInAttempt): Promise<SignInResult | undefined> {
    const key = `name ${name}`;
    return this.mutex.runExclusive(key, async () => {
      const failed = await this.failures.check(key);
      rejectWhileLimited(failed.waitMs ?? (await this.accounts.add(key)));
      return this.counted(key, failed, await this.checkAccount(name, await find(), password));
    });
  }

  /**
   * A directory may accept more forms of a name for an account than we know, so wrong passwords are also counted for
   * the account. A blocked account gets the same response as a wrong password: a client that tries a second name must
   * not learn that both belong to one account. Unknown accounts are counted in the same way, so that they take as long.
   */
  private checkAccount(name: string, account: Account, password: string): Promise<SignInResult | undefined> {
    const key = account.id === undefined ? `unknown account ${name}` : `account ${account.id}`;
    return this.mutex.runExclusive(key, async () => {
      const failed = await this.failures.check(key);
      const signedIn = failed.waitMs === undefined ? await account.signIn(password) : await account.reject();
      return this.counted(key, failed, signedIn);
    });
  }

  /** Counts a token for a new guest of a meeting, or for a known guest. Throws {@link SignInLimitReached}. */
  async admitGuest(guest: string): Promise<void> {
    rejectWhileLimited(await this.accounts.add(`guest ${guest}`));
  }

  private async counted(
    key: string,
    before: CountedEvents,
    signedIn: SignInResult | undefined,
  ): Promise<SignInResult | undefined> {
    if (signedIn === undefined) await this.failures.add(key);
    else if (!before.isClear) await this.failures.forget(key);
    return signedIn;
  }
}

function rejectWhileLimited(waitMs: number | undefined): void {
  if (waitMs !== undefined) throw new SignInLimitReached(Math.max(1, Math.ceil(waitMs / 1000)));
}
