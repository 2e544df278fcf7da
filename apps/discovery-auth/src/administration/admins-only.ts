import { applyDecorators, Inject, Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { RateLimit } from '@ringdown/concurrency';
import { bearerToken, NeedsRole, requestPrincipal, TokenGuard, tokenHash, WEB_NAMES } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import { Fault } from '@ringdown/web-server/errors';
import type { FastifyRequest } from 'fastify';
import { Tokens } from '../sign-in/tokens.js';
import { fromBus } from '../sign-in/bus-fault.js';

/** More than a person sends by hand; a search reads all people. */
const REQUESTS_PER_MINUTE = 300;

/**
 * Checks token and role, then the number of requests of the administrator at this replica. The role is looked up again
 * without the cache of the check: a person who has just lost it cannot change people any more.
 */
@Injectable()
class AdminGuard extends TokenGuard {
  @Inject() private readonly tokens!: Tokens;
  @Inject(WEB_NAMES) private readonly names!: WebNames;
  private readonly requests = new RateLimit({ limit: REQUESTS_PER_MINUTE });

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const may = await super.canActivate(context);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const hash = tokenHash(bearerToken(request.headers, this.names) ?? '');
    const principal = await fromBus(this.tokens.principalOf(hash));
    if (!principal?.roles.includes('admin')) throw new Fault('forbidden', { message: 'The role "admin" is required.' });
    const waitSeconds = this.requests.add(requestPrincipal(request).username);
    if (waitSeconds === undefined) return may;
    throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
  }
}

/** For controllers that only administrators may use. */
export const AdminsOnly = (): ClassDecorator => applyDecorators(UseGuards(AdminGuard), NeedsRole('admin'));
