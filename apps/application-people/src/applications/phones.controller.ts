import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { PHONE_KINDS } from '@ringdown/directory';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { AnswersResource } from '../http/answers.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PhoneResources } from './phone-resources.js';
import { Sessions } from '../sessions/sessions.js';

const phoneNotFound: ErrorRow = { status: 404, code: 'NotFound', message: 'The user has no such number.' };

/** The user's own telephone numbers (web-interface.md, section 6). */
@Controller('uc/v1/applications/:id/me/phones')
@UseGuards(TokenGuard, ServedVersionGuard)
@AnswersResource()
export class PhonesController {
  constructor(
    private readonly sessions: Sessions,
    private readonly resources: PhoneResources,
  ) {}

  @Get()
  async phones(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.phones(id, owner);
  }

  @Get(':kind')
  async phone(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('kind') wanted: string,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const kind = PHONE_KINDS.find((each) => each === wanted.toLowerCase());
    const phone = kind === undefined ? undefined : this.resources.phone(id, owner, kind);
    if (phone === undefined) throw new InterfaceError(phoneNotFound);
    return phone;
  }
}
