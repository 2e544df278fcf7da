import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { ClientError } from 'openid-client';

/** The provider does not answer, or not as it should. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** What fails apart from the others: its description, its keys, and its answers to codes. */
export type ProviderPart = 'metadata' | 'keys' | 'codes';

/**
 * After a failure the description and the keys are not requested for this long, so that sign-ins do not queue up behind
 * them. Codes are: an odd code, to which the provider answers with an error, would stop those of others.
 */
export const PAUSE_MS = 2_000;

/** Logs the beginning and the end of each outage of a part of the provider, once each. */
export class ProviderOutages {
  private readonly down = new Set<ProviderPart>();

  constructor(
    private readonly issuer: string,
    private readonly logger: Logger,
  ) {}

  /** The error for clients. */
  failure(part: ProviderPart, cause: unknown): ProviderUnavailable {
    if (!this.down.has(part)) {
      // What openid-client does not know is in an error without a code, whose message is always the same.
      const isUnknown = cause instanceof ClientError && cause.code === undefined;
      const facts = { issuer: this.issuer, part, reason: errorReason(isUnknown ? cause.cause : cause) };
      this.logger.error(facts, 'the sign-in provider does not answer as it should; passwords still work');
    }
    this.down.add(part);
    return new ProviderUnavailable('the sign-in provider does not answer as it should', { cause });
  }

  answered(part: ProviderPart): void {
    if (this.down.delete(part)) this.logger.info({ issuer: this.issuer, part }, 'the sign-in provider answers again');
  }
}
