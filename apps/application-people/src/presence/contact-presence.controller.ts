import { Controller, Get, Inject, Param, UseGuards } from '@nestjs/common';
import { DIRECTORY, type Directory, type Person } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/web-server';
import { reasons, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { Sessions, stored } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { recordFor } from '../personal-settings/relationship-level.js';
import type { PresenceRecord } from '../presence-store/presence-record.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

interface ContactParams {
  readonly id: string;
  readonly address: string;
}

/** The presence of other people (web-interface.md, section 5); it can be read without a subscription, and
 * shows what they let the reader see. */
@Controller('uc/v1/applications/:id/people/:address')
@UseGuards(TokenGuard, ServedVersionGuard)
@AnswersResource()
export class ContactPresenceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly presences: Presences,
    private readonly resources: PresenceResources,
    private readonly settings: PersonalSettings,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get('presence')
  async presence(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { person, record } = await this.find(principal, params);
    return this.resources.contactPresence(params.id, person, record, this.presences.shownOf(record));
  }

  @Get('note')
  async note(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { person, record } = await this.find(principal, params);
    return this.resources.contactNote(params.id, person, record);
  }

  @Get('location')
  async location(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { person, record } = await this.find(principal, params);
    return this.resources.contactLocation(params.id, person, record);
  }

  @Get('supportedMedia')
  async modalities(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { person, record } = await this.find(principal, params);
    return this.resources.contactModalities(params.id, person, record);
  }

  private async find(
    principal: Principal,
    { id, address }: ContactParams,
  ): Promise<{ readonly person: Person; readonly record: PresenceRecord }> {
    const { owner: viewer } = await this.sessions.find(principal, id);
    const person = this.directory.people.withSipAddress(address);
    if (person === undefined) throw new InterfaceError(reasons.personNotFound);
    const record = await stored(() => this.presences.read(person));
    if (person.username === viewer.username) return { person, record };
    const level = await stored(() => this.settings.levelOf(person.username, viewer.sipAddress));
    return { person, record: recordFor(record, level) };
  }
}
