import {
  applyDecorators,
  Inject,
  Injectable,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NeedsRole, TokenGuard } from '@ringdown/token-validation';

/** Nest makes its own instance of a guard class; this one takes the module's TokenGuard. */
@Injectable()
class ModuleTokenGuard implements CanActivate {
  constructor(@Inject(TokenGuard) private readonly guard: TokenGuard) {}

  canActivate(context: ExecutionContext): Promise<boolean> {
    return this.guard.canActivate(context);
  }
}

/** For controllers that everybody with a token may use but guests of meetings. */
export const SignedInOnly = (): ClassDecorator => UseGuards(ModuleTokenGuard);

/** For controllers that only operators may use. */
export const OperatorsOnly = (): ClassDecorator => applyDecorators(UseGuards(ModuleTokenGuard), NeedsRole('operator'));
