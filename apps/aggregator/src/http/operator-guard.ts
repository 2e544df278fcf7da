import { RateLimit } from '@ringdown/concurrency';
import { Fault } from '@ringdown/web-server/errors';
import { applyDecorators, Inject, Injectable, UseGuards, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { NeedsRole, requestPrincipal, TokenGuard } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessWatch } from './access-watch.js';
import { AskedByUser } from './asker.interceptor.js';

/** Counts the requests of each user to `/api` in a minute. */
export class RequestRate extends RateLimit {}

/** Checks the token, then the number of requests that its owner has sent; ends the answer when access is lost. */
@Injectable()
class LimitedTokenGuard extends TokenGuard {
  @Inject() private readonly rate!: RequestRate;
  @Inject() private readonly access!: AccessWatch;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const may = await super.canActivate(context);
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const principal = requestPrincipal(request);
    const waitSeconds = this.rate.add(principal.username);
    if (waitSeconds === undefined) {
      this.access.follow(request, http.getResponse<FastifyReply>(), principal);
      return may;
    }
    throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
  }
}

/** For controllers that everyone with a token may use, except guests of meetings. */
export const SignedInOnly = (): ClassDecorator =>
  applyDecorators(UseGuards(LimitedTokenGuard), UseInterceptors(AskedByUser));

/** For controllers that only operators may use. */
export const OperatorsOnly = (): ClassDecorator => applyDecorators(SignedInOnly(), NeedsRole('operator'));
