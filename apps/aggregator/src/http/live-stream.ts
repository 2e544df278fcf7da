import { KeyedSlots } from '@ringdown/concurrency';
import { InterfaceError } from '@ringdown/web-server/errors';
import { requestPrincipal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import type { LiveReaders, NewReader } from '../live/live-readers.js';
import type { AccessWatch } from './access-watch.js';
import { fromDatabase } from './database-fault.js';
import type { IdentityView } from '../search/names/identities.js';

export interface LiveStreamOptions {
  readonly liveReaders: LiveReaders;
  readonly access: AccessWatch;
  /** Streams that one user may read at the same time. */
  readonly perUser: number;
}

/** What serves a reader: rejects before `begin` is called, or resolves when the reader ends. */
type Follow = (reader: NewReader) => Promise<void>;

/** Serves changes of calls, or messages, as server-sent events for as long as the reader's token is valid. */
export class LiveStream {
  private readonly slots: KeyedSlots;

  constructor(private readonly options: LiveStreamOptions) {
    this.slots = new KeyedSlots(options.perUser);
  }

  /** The changes of all calls. */
  serve(request: FastifyRequest, reply: FastifyReply, { isShown }: IdentityView): Promise<void> {
    const { liveReaders } = this.options;
    return this.serveWith(request, reply, { isShown, isFull: liveReaders.isFull }, (reader) =>
      liveReaders.follow(reader),
    );
  }

  /** The same for another source of events. */
  async serveWith(
    request: FastifyRequest,
    reply: FastifyReply,
    { isShown, isFull }: { readonly isShown: boolean; readonly isFull: boolean },
    follow: Follow,
  ): Promise<void> {
    const { access } = this.options;
    if (isFull) throw new InterfaceError(queryErrors.tooManyReaders, { headers: { 'retry-after': '10' } });
    const begin = (): void => {
      reply.hijack();
      reply.raw.writeHead(200, {
        ...replyHeaders(reply),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // A connection that stays open for the next request would keep the listener from closing.
        connection: 'close',
        // Otherwise proxies would buffer the events.
        'x-accel-buffering': 'no',
      });
      // A returning reader that has missed nothing would otherwise receive nothing for a long time.
      reply.raw.flushHeaders();
    };
    // Only the head is requested: no event would ever follow.
    if (request.method === 'HEAD') {
      begin();
      reply.raw.end();
      return;
    }
    const { username, expiresAt: allowedUntil } = requestPrincipal(request);
    const release = this.slots.acquire(username);
    if (release === undefined) {
      throw new InterfaceError(queryErrors.tooManyReadersOfUser, { headers: { 'retry-after': '10' } });
    }
    const reader = {
      output: reply.raw,
      lastEventId: lastEventIdOf(request),
      allowedUntil,
      isShown,
      onRevoked: (callback: () => void) => access.endWith(request, callback),
      isStillAllowed: () => access.isAllowed(request),
      begin,
    };
    await fromDatabase(follow(reader)).finally(release);
  }
}

/** What browsers send when they reconnect (HTML standard, section 9.2.4). */
function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const value = headers['last-event-id'];
  return typeof value === 'string' ? value : undefined;
}

/** The headers that the listener sets on every response. */
function replyHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
