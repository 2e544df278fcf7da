import { Controller, Get, Headers, HttpCode, Inject, Param, Put, UseGuards } from '@nestjs/common';
import { DIRECTORY, canonicalName, type Directory, type Person } from '@ringdown/directory';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import { reasons, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { IsIn } from 'class-validator';
import { AnswersResource } from '../http/answers.js';
import { PutParameters, requireMatch } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { levelIn, PersonalSettings, type PersonalRecord } from '../personal-settings/personal-settings.js';
import { RELATIONSHIP_LEVELS, type RelationshipLevel } from '../personal-settings/relationship-level.js';
import { Sessions, stored } from '../sessions/sessions.js';
import { PrivacyEvents } from './privacy-events.js';
import { privacyEtag, PrivacyResources, privacySeed } from './privacy-resources.js';

/** More than the contacts that anyone may have; all of them are one entry of the store. */
const MAX_RELATIONSHIPS = 1_000;

const notWithOneself: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'OperationNotSupported',
  message: 'You always see your own presence.',
};

class PrivacyInput {
  @IsIn(RELATIONSHIP_LEVELS)
  readonly relationshipLevel!: RelationshipLevel;
}

/** What a user lets others see of their presence (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people')
@UseGuards(TokenGuard, ServedVersionGuard)
export class PrivacyController {
  constructor(
    private readonly sessions: Sessions,
    private readonly settings: PersonalSettings,
    private readonly resources: PrivacyResources,
    private readonly events: PrivacyEvents,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get('privacyRelationships')
  @AnswersResource()
  async list(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.myPrivacyRelationships(id, await stored(() => this.settings.of(owner.username)));
  }

  @Get(':address/privacyRelationship')
  @AnswersResource()
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('address') address: string,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const { sipAddress } = this.personAt(address);
    const record = await stored(() => this.settings.of(owner.username));
    return this.resources.contactPrivacyRelationship(id, sipAddress, record);
  }

  /** `Unknown` removes the choice of the user. */
  @Put(':address/privacyRelationship')
  @HttpCode(204)
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('address') address: string,
    @PutParameters(seedOfPath) { relationshipLevel }: PrivacyInput,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    const other = this.personAt(address);
    if (other.username === owner.username) throw new InterfaceError(notWithOneself);
    const { before, after } = await stored(() =>
      this.settings.change(owner.username, (record) => {
        requireMatch(ifMatch, privacyEtag(levelIn(record, other.sipAddress)));
        return withLevel(record, other.sipAddress, relationshipLevel);
      }),
    );
    if (levelIn(before, other.sipAddress) !== levelIn(after, other.sipAddress)) await this.events.send(owner, other);
  }

  private personAt(address: string): Person {
    const person = this.directory.people.withSipAddress(address);
    if (person === undefined) throw new InterfaceError(reasons.personNotFound);
    return person;
  }
}

function withLevel(record: PersonalRecord, sipAddress: string, level: RelationshipLevel): PersonalRecord {
  const others = Object.entries(record.relationships).filter(([address]) => address !== sipAddress);
  if (level === 'Unknown') return { ...record, relationships: Object.fromEntries(others) };
  if (others.length >= MAX_RELATIONSHIPS) {
    const message = `You have ${MAX_RELATIONSHIPS} privacy relationships, the maximum.`;
    throw new InterfaceError(reasons.limitExceeded, { message });
  }
  return { ...record, relationships: Object.fromEntries([...others, [sipAddress, level]]) };
}

/** The address in its canonical form, as the resource was read with it. */
function seedOfPath({ address = '' }: Readonly<Record<string, string>>): string {
  const name = canonicalName(address);
  return privacySeed(name.startsWith('sip:') ? name : `sip:${name}`);
}
