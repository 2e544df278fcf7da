import { DirectoryBusy, DirectoryUnavailable, type Directory, type Person } from '@ringdown/directory';
import { Fault, InterfaceError } from '@ringdown/http-server';
import type { Logger, Metrics } from '@ringdown/observability';
import { signInName } from './sign-in-name.js';
import { NO_STORE, tokenErrors } from './token-errors.js';
import type { PasswordGrant } from './token-request.js';
import type { IssuedToken, Tokens } from './tokens.js';

export interface TokenServiceOptions {
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly sipDomains: readonly string[];
  /** Name of the answer's field for the identity scope, from the vendor profile. */
  readonly identityScopeField: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Gives tokens for passwords (spec, "Authentication"). */
export class TokenService {
  private readonly signIns;

  constructor(private readonly options: TokenServiceOptions) {
    this.signIns = options.metrics.counter('sign_ins_total', 'Token requests with a password', ['outcome']);
  }

  /** The token response of the spec. Throws {@link InterfaceError}; who is unknown and who is wrong look the same. */
  async grant({ username, password }: PasswordGrant): Promise<Readonly<Record<string, string | number>>> {
    const person = await this.authenticate(username, password);
    if (person === undefined) {
      this.signIns.inc({ outcome: 'refused' });
      throw new InterfaceError(tokenErrors.invalidGrant, { headers: NO_STORE });
    }
    const token = await this.issue(person);
    this.signIns.inc({ outcome: 'granted' });
    this.options.logger.debug({ username: person.username }, 'signed in');
    return {
      access_token: token.accessToken,
      expires_in: token.expiresInSeconds,
      [this.options.identityScopeField]: 'local',
      token_type: 'Bearer',
    };
  }

  private async issue(person: Person): Promise<IssuedToken> {
    try {
      return await this.options.tokens.issue(person.username);
    } catch (cause) {
      this.signIns.inc({ outcome: 'unavailable' });
      throw new Fault('unavailable', { headers: { ...NO_STORE, 'retry-after': '2' }, cause });
    }
  }

  private async authenticate(given: string, password: string): Promise<Person | undefined> {
    const { directory, sipDomains } = this.options;
    try {
      // A name that cannot be anybody's is checked all the same, so that it takes as long.
      return await directory.authenticate(signInName(given, sipDomains) ?? '', password);
    } catch (error) {
      if (!(error instanceof DirectoryBusy || error instanceof DirectoryUnavailable)) throw error;
      const busy = error instanceof DirectoryBusy;
      this.signIns.inc({ outcome: busy ? 'busy' : 'unavailable' });
      const row = busy ? tokenErrors.busy : tokenErrors.directoryDown;
      const headers = { ...NO_STORE, 'retry-after': String(error.retryAfterSeconds) };
      throw new InterfaceError(row, { headers, cause: error });
    }
  }
}
