import type { Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import type { Logger } from '@ringdown/observability';
import { MAX_LIFETIME_SECONDS } from '../settings.js';
import { parseStoredToken, type StoredToken } from './stored-token.js';
import { TokenSeal } from './token-seal.js';

/** The tokens on the bus, by their hashes. Entries that discovery-auth has not sealed count as missing. */
export class TokenBucket {
  private constructor(
    private readonly bucket: Bucket<StoredToken | undefined>,
    private readonly seal: TokenSeal,
  ) {}

  static async open(bus: Bus, key: Buffer): Promise<TokenBucket> {
    const seal = new TokenSeal(key);
    const parse = (value: unknown, hash: string): StoredToken | undefined => {
      const token = seal.open(hash, value);
      return token === undefined ? undefined : parseStoredToken(token);
    };
    const maxAgeMs = MAX_LIFETIME_SECONDS * 1000;
    return new TokenBucket(await Bucket.open({ bus, name: 'TOKENS', maxAgeMs, parse }), seal);
  }

  async get(hash: string): Promise<Entry<StoredToken> | undefined> {
    return opened(await this.bucket.get(hash));
  }

  async getNewest(hash: string): Promise<Entry<StoredToken> | undefined> {
    return opened(await this.bucket.getNewest(hash));
  }

  put(hash: string, token: StoredToken): Promise<number> {
    return this.bucket.put(hash, this.seal.seal(hash, token));
  }

  /** False when the entry was changed since `revision`. */
  update(hash: string, token: StoredToken, revision: number): Promise<boolean> {
    return this.bucket.update(hash, this.seal.seal(hash, token), revision);
  }

  delete(hash: string): Promise<void> {
    return this.bucket.delete(hash);
  }

  /** False when the entry was changed since `revision`. */
  deleteAt(hash: string, revision: number): Promise<boolean> {
    return this.bucket.deleteAt(hash, revision);
  }

  /** As of {@link Bucket.follow}. */
  follow(...[logger, listener]: Parameters<Bucket<StoredToken | undefined>['follow']>): () => void {
    return this.bucket.follow(logger, listener);
  }

  onChange(logger: Logger, listener: (hash: string) => void, filter?: string): () => void {
    return this.bucket.onChange(logger, listener, filter);
  }

  lastRevision(): Promise<number> {
    return this.bucket.lastRevision();
  }
}

function opened(entry: Entry<StoredToken | undefined> | undefined): Entry<StoredToken> | undefined {
  return entry?.value === undefined ? undefined : { ...entry, value: entry.value };
}
