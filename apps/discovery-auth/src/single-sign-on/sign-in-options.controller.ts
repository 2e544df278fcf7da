import { Controller, Get, Header, Inject, Optional } from '@nestjs/common';
import { SingleSignOn, type ProviderAddress } from './single-sign-on.js';

/** How people may sign in; for pages that offer it. */
interface SignInOptions {
  readonly password: true;
  /** Absent without a provider. */
  readonly openId?: ProviderAddress;
}

@Controller('sign-in/options')
export class SignInOptionsController {
  constructor(@Optional() @Inject(SingleSignOn) private readonly singleSignOn: SingleSignOn | undefined) {}

  @Get()
  @Header('cache-control', 'no-store')
  async options(): Promise<SignInOptions> {
    const openId = await this.singleSignOn?.address();
    return { password: true, ...(openId === undefined ? {} : { openId }) };
  }
}
