import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ResourceWriter } from '@ringdown/hypermedia';
import { TokenGuard } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { requireServedVersion } from './min-version.js';

/**
 * The guard that routes name, for clients that have signed in and can do with what is served. Nest makes the guards it is
 * told of itself, so the configured one is handed in.
 */
@Injectable()
export class SignedIn implements CanActivate {
  constructor(
    @Inject(TokenGuard) private readonly guard: TokenGuard,
    @Inject(ResourceWriter) private readonly writer: ResourceWriter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!(await this.guard.canActivate(context))) return false;
    requireServedVersion(context.switchToHttp().getRequest<FastifyRequest>().headers, this.writer.web);
    return true;
  }
}
