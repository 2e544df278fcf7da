import { resetConnection } from '@ringdown/web-server';
import type { Logger } from '@ringdown/observability';
import { bearerToken, type Principal, type Role, type TokenValidator } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface AccessWatchOptions {
  readonly validator: Pick<TokenValidator, 'check' | 'whenRevoked'>;
  readonly web: WebNames;
  readonly logger: Pick<Logger, 'info'>;
  readonly checkMs?: number;
}

interface OpenAnswer {
  readonly token: string;
  readonly operator: string;
  /** The roles of its owner when the answer began, of those on which answers depend. */
  readonly needed: readonly Role[];
  readonly since: number;
  readonly isLost: () => void;
}

const ROLES: ReadonlySet<Role> = new Set<Role>(['operator', 'reveal', 'admin']);
/** Twice, and the age of a cached answer of the token service, are less than two seconds. */
const CHECK_MS = 500;

/**
 * Ends every answer that is still under way when its client may no longer have it: the token is revoked or has expired, or its owner
 * has lost a role that it had when the answer began. The rest of the answer is not sent: the client sees that it is incomplete.
 */
export class AccessWatch {
  private readonly open = new Map<FastifyRequest, OpenAnswer>();
  /** What stops the work of handlers that would go on. */
  private readonly ends = new WeakMap<FastifyRequest, () => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: AccessWatchOptions) {}

  /** From now on until the end of the answer. `principal`: the owner of the request's token, which has been checked. */
  follow(
    request: FastifyRequest,
    reply: FastifyReply,
    { username: operator, roles }: Pick<Principal, 'username' | 'roles'>,
  ): void {
    const { validator, web, checkMs = CHECK_MS } = this.options;
    const token = bearerToken(request.headers, web);
    if (token === undefined) throw new Error('no TokenGuard in front of an answer');
    // The client has gone while the token was checked.
    if (reply.raw.closed) return;
    const needed = roles.filter((role) => ROLES.has(role));
    const isLost = (): void => this.end(request, reply);
    this.open.set(request, { token, operator, needed, since: performance.now(), isLost });
    const unsubscribe = validator.whenRevoked(token, isLost);
    reply.raw.once('close', () => {
      unsubscribe();
      this.open.delete(request);
    });
    this.timer ??= setInterval(() => void this.checkAll(), checkMs).unref();
  }

  /** Tells the handler by `end` that its answer was ended, so that it stops its work. */
  endWith(request: FastifyRequest, end: () => void): () => void {
    this.ends.set(request, end);
    return () => this.ends.delete(request);
  }

  async isAllowed(request: FastifyRequest): Promise<boolean> {
    const answer = this.open.get(request);
    return answer !== undefined && (await this.mayContinue(answer));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async checkAll(): Promise<void> {
    const until = performance.now() - (this.options.checkMs ?? CHECK_MS);
    const long = [...this.open.values()].filter(({ since }) => since <= until);
    await Promise.all(long.map(async (answer) => (await this.mayContinue(answer)) || answer.isLost()));
  }

  private async mayContinue({ token, needed }: OpenAnswer): Promise<boolean> {
    try {
      const principal = await this.options.validator.check(token);
      return principal !== null && needed.every((role) => principal.roles.includes(role));
    } catch {
      // The check is not available now: the token was valid, and a revocation is published.
      return true;
    }
  }

  private end(request: FastifyRequest, reply: FastifyReply): void {
    const operator = this.open.get(request)?.operator;
    if (!this.open.delete(request)) return;
    const route = request.routeOptions.url;
    this.options.logger.info({ operator, route }, 'an answer was ended: its client may no longer have it');
    // Nothing more reaches the client, also of what waits in the buffers of the connection.
    resetConnection(reply.raw.socket);
    this.ends.get(request)?.();
  }
}
