import { Controller, UseGuards } from '@nestjs/common';
import { CatchAll } from '@ringdown/web-server';
import { Fault } from '@ringdown/web-server/errors';
import { GuestsWelcome, TokenGuard } from '@ringdown/token-validation';

/**
 * What no other controller serves, with every method: without a valid token the client gets the challenge, because some
 * look for the token service with a GET of what they are about to post to (web-interface.md, section 14).
 */
@Controller('uc/v1')
@GuestsWelcome()
@UseGuards(TokenGuard)
export class UnservedController {
  /** Reported as 405 with the allowed methods where another method is served. */
  @CatchAll()
  reject(): never {
    throw new Fault('not-found');
  }
}
