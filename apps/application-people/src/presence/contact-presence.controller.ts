import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import type { Person } from '@ringdown/directory';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import { Sessions, stored, type Session } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { recordFor, type RelationshipLevel } from '../personal-settings/relationship-level.js';
import { clientModalities } from '../presence-store/presence-changes.js';
import { newRecord, OFFLINE, type Presence, type PresenceRecord } from '../presence-store/presence-record.js';
import { ReadableContacts, type Acquaintance } from '../readable-contacts/readable-contacts.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

interface ContactParams {
  readonly id: string;
  readonly address: string;
}

/** The presence of other people (web-interface.md, section 5); it can be read without a subscription, and
 * shows what they let the reader see. */
@Controller('uc/v1/applications/:id/people/:address')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
@AnswersResource()
export class ContactPresenceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly presences: Presences,
    private readonly resources: PresenceResources,
    private readonly settings: PersonalSettings,
    private readonly readable: ReadableContacts,
  ) {}

  @Get('presence')
  async presence(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { owner, record, shown } = await this.find(principal, params);
    return this.resources.contactPresence(params.id, owner, record, shown);
  }

  @Get('note')
  async note(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { owner, record } = await this.find(principal, params);
    return this.resources.contactNote(params.id, owner, record);
  }

  @Get('location')
  async location(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { owner, record } = await this.find(principal, params);
    return this.resources.contactLocation(params.id, owner, record);
  }

  @Get('supportedMedia')
  async modalities(@CurrentPrincipal() principal: Principal, @Param() params: ContactParams): Promise<Resource> {
    const { owner, modalities } = await this.find(principal, params);
    return this.resources.contactModalities(params.id, owner, modalities);
  }

  private async find(principal: Principal, { id, address }: ContactParams): Promise<ContactPresence> {
    const session = await this.sessions.find(principal, id);
    const { person, acquaintance } = await this.readable.find(session, address);
    if (person === undefined) return presenceOfAcquaintance(acquaintance);
    const all = await stored(() => this.presences.read(person));
    const record =
      person.username === session.owner.username ? all : recordFor(all, await this.levelOf(session, person));
    return { owner: person, record, shown: this.presences.shownOf(record), modalities: clientModalities(record) };
  }

  private levelOf({ owner: viewer }: Session, { username }: Person): Promise<RelationshipLevel> {
    return stored(() => this.settings.levelOf(username, viewer.sipAddress));
  }
}

interface ContactPresence {
  readonly owner: Pick<Person, 'sipAddress'>;
  readonly record: PresenceRecord;
  readonly shown: Presence;
  readonly modalities: readonly string[];
}

/** Shows no more than the conversation itself: whether someone is there. */
function presenceOfAcquaintance({ sipAddress, isConnected }: Acquaintance): ContactPresence {
  const record = newRecord({ sipAddress, username: '' });
  const shown = isConnected ? ({ ...OFFLINE, availability: 'Online', activity: 'Available' } as const) : OFFLINE;
  return { owner: { sipAddress }, record, shown, modalities: isConnected ? ['Messaging'] : [] };
}
