import { Controller, UseGuards } from '@nestjs/common';
import { CatchAll } from '@ringdown/web-server';
import { Fault } from '@ringdown/web-server/errors';
import { GuestsWelcome, TokenGuard } from '@ringdown/token-validation';

/** Other methods at the user URL: the challenge comes before them, as at the applications. */
@Controller('uc/discovery')
@GuestsWelcome()
@UseGuards(TokenGuard)
export class UnservedUserController {
  @CatchAll()
  reject(): never {
    throw new Fault('not-found');
  }
}
