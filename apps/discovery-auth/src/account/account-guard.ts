import { Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { RateLimit } from '@ringdown/concurrency';
import { requestPrincipal, TokenGuard } from '@ringdown/token-validation';
import { Fault } from '@ringdown/web-server/errors';
import type { FastifyRequest } from 'fastify';

/** More than a person can want; a list of sessions is found among all tokens. */
const REQUESTS_PER_MINUTE = 120;

/** Checks the token, then the number of requests that its owner has sent to this replica. */
@Injectable()
class AccountGuard extends TokenGuard {
  private readonly requests = new RateLimit({ limit: REQUESTS_PER_MINUTE });

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const may = await super.canActivate(context);
    const { username } = requestPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
    const waitSeconds = this.requests.add(username);
    if (waitSeconds === undefined) return may;
    throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
  }
}

/** For controllers that everyone with a token may use, except guests of meetings. */
export const OwnersOnly = (): ClassDecorator => UseGuards(AccountGuard);
