import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Seals stored tokens with a key that only discovery-auth has: who can write to the bucket on the bus, but has not the
 * key, cannot make a token. The seal covers the hash of the token, so that a stored token is worth nothing elsewhere.
 */
export class TokenSeal {
  constructor(private readonly key: Buffer) {}

  /** What is stored of a token. */
  seal<T extends object>(hash: string, token: T): T & { readonly seal: string } {
    return { ...token, seal: this.sealOf(hash, token) };
  }

  /** The token that was sealed for this hash; undefined for anything else. */
  open(hash: string, stored: unknown): object | undefined {
    const { seal, ...token }: Partial<Record<string, unknown>> = { ...Object(stored) };
    if (typeof seal !== 'string') return undefined;
    const [given, right] = [Buffer.from(seal), Buffer.from(this.sealOf(hash, token))];
    return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
  }

  private sealOf(hash: string, token: object): string {
    return createHmac('sha256', this.key)
      .update(`${hash}\n${JSON.stringify(token)}`)
      .digest('base64url');
  }
}
