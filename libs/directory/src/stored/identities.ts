import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { BUCKET, parseStoredEntry, type StoredEntry } from './stored-entry.js';
import { accountKey, identityKey, isSameAccount, type Identity, type ProviderAccount } from './stored-identity.js';

/**
 * Which person signs in with which account of a provider: one account for each person, and one person for each account.
 * Beside the people on the bus, also where people are in a file or a directory server. The entry of the person decides;
 * that of the account only finds the person.
 */
export class Identities {
  constructor(private readonly bucket: Bucket<StoredEntry>) {}

  static async open(bus: Bus): Promise<Identities> {
    const bucket = await Bucket.open({ bus, name: BUCKET, maxAgeMs: 0, parse: readEntry, role: 'user' });
    return new Identities(bucket);
  }

  /** The account of a person. */
  async of(username: string): Promise<Identity | undefined> {
    return (await this.bucket.getNewest(identityKey(username)))?.value.identity;
  }

  /** The username of the person with this account. */
  async usernameOf(account: ProviderAccount): Promise<string | undefined> {
    const found = (await this.bucket.getNewest(accountKey(account)))?.value.identity;
    if (found === undefined) return undefined;
    const identity = await this.of(found.username);
    return identity !== undefined && isSameAccount(identity, account) ? found.username : undefined;
  }

  /** False if the person has another account, or another sign-in was faster. */
  async bind(username: string, account: ProviderAccount): Promise<boolean> {
    const { issuer, subject } = account;
    const value = { people: [], identity: { issuer, subject, username, boundAt: Date.now() } };
    if (!(await this.bucket.create(identityKey(username), value))) {
      const present = await this.of(username);
      if (present === undefined || !isSameAccount(present, account)) return false;
    }
    await this.bucket.put(accountKey(account), value);
    return true;
  }

  /** False if the person had no account. */
  async forget(username: string): Promise<boolean> {
    const identity = await this.of(username);
    if (identity === undefined) return false;
    await this.bucket.delete(identityKey(username));
    // After a rename, the account is that of the new name.
    const found = (await this.bucket.getNewest(accountKey(identity)))?.value.identity;
    if (found?.username === username) await this.bucket.delete(accountKey(identity));
    return true;
  }

  /** Before the old name of a renamed person is removed. May be repeated. */
  async move(from: string, to: string): Promise<void> {
    const identity = await this.of(from);
    if (identity === undefined) return;
    const value = { people: [], identity: { ...identity, username: to } };
    await this.bucket.put(identityKey(to), value);
    await this.bucket.put(accountKey(identity), value);
    await this.forget(from);
  }
}

function readEntry(value: unknown): StoredEntry {
  return parseStoredEntry(value);
}
