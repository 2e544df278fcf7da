import { Fault } from '@ringdown/web-server';
import { applyDecorators, Inject, Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { NeedsRole, principalOf, TokenGuard } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { RequestRate } from './user-limits.js';

/** Checks the token, then the number of requests that its owner has sent. */
@Injectable()
class LimitedTokenGuard extends TokenGuard {
  @Inject() private readonly rate!: RequestRate;

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const may = await super.canActivate(context);
    const { username } = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
    const waitSeconds = this.rate.add(username);
    if (waitSeconds === undefined) return may;
    throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
  }
}

/** For controllers that everyone with a token may use, except guests of meetings. */
export const SignedInOnly = (): ClassDecorator => UseGuards(LimitedTokenGuard);

/** For controllers that only operators may use. */
export const OperatorsOnly = (): ClassDecorator => applyDecorators(UseGuards(LimitedTokenGuard), NeedsRole('operator'));
