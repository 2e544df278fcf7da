import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { TokenGuard } from '@ringdown/token-validation';

/** The guard that routes name. Nest makes the guards it is told of itself, so the configured one is handed in. */
@Injectable()
export class SignedIn implements CanActivate {
  constructor(@Inject(TokenGuard) private readonly guard: TokenGuard) {}

  canActivate(context: ExecutionContext): Promise<boolean> {
    return this.guard.canActivate(context);
  }
}
