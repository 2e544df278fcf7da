import { InterfaceError } from '@ringdown/web-server';
import { bearerToken, principalOf, type Role, type TokenValidator } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import type { LiveReaders } from '../live/live-readers.js';
import { fromDatabase } from './database-fault.js';
import type { IdentityView } from './identities.js';
import { PlacesOfUsers } from './user-limits.js';

export interface LiveStreamOptions {
  readonly liveReaders: LiveReaders;
  readonly validator: TokenValidator;
  readonly web: WebNames;
  /** Streams that one user may read at the same time. */
  readonly perUser: number;
}

/** Serves the changes of calls as server-sent events for as long as the reader's token is good. */
export class LiveStream {
  private readonly places: PlacesOfUsers;

  constructor(private readonly options: LiveStreamOptions) {
    this.places = new PlacesOfUsers(options.perUser);
  }

  async serve(request: FastifyRequest, reply: FastifyReply, { isShown }: IdentityView): Promise<void> {
    const { liveReaders, validator, web } = this.options;
    const token = bearerToken(request.headers, web);
    if (token === undefined) throw new Error('no TokenGuard in front of the live stream');
    if (liveReaders.isFull) throw new InterfaceError(queryErrors.tooManyReaders, { headers: { 'retry-after': '10' } });
    const begin = (): void => {
      reply.hijack();
      reply.raw.writeHead(200, {
        ...headersOf(reply),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Kept open for the next request, it would hold up the end of the listener.
        connection: 'close',
        // Proxies would otherwise collect events until they have a page full.
        'x-accel-buffering': 'no',
      });
      // A reader that came back and has missed nothing would hear nothing for long.
      reply.raw.flushHeaders();
    };
    // Only the head is asked for: nothing would ever follow it.
    if (request.method === 'HEAD') {
      begin();
      reply.raw.end();
      return;
    }
    const { username, expiresAt: allowedUntil } = principalOf(request);
    const giveBack = this.places.take(username);
    if (giveBack === undefined) {
      throw new InterfaceError(queryErrors.tooManyReadersOfUser, { headers: { 'retry-after': '10' } });
    }
    const reader = {
      output: reply.raw,
      lastEventId: lastEventIdOf(request),
      allowedUntil,
      isShown,
      whenTakenBack: (callback: () => void) => validator.whenRevoked(token, callback),
      isStillAllowed: () => this.isStillAllowed(token, isShown),
      begin,
    };
    await fromDatabase(liveReaders.follow(reader)).finally(giveBack);
  }

  private async isStillAllowed(token: string, isShown: boolean): Promise<boolean> {
    try {
      const principal = await this.options.validator.check(token);
      const needed: readonly Role[] = isShown ? ['operator', 'reveal'] : ['operator'];
      return principal !== null && needed.every((role) => principal.roles.includes(role));
    } catch {
      // Nobody answers just now: the token was good and has its own end.
      return true;
    }
  }
}

/** What browsers send when they come back (HTML standard, section 9.2.4). */
function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['last-event-id'];
  return typeof value === 'string' ? value : undefined;
}

/** What the listener has put on every answer. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
