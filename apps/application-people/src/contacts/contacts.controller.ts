import { Controller, Delete, Get, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { DIRECTORY, canonicalName, type Directory } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/web-server/errors';
import { QueryParameters } from '@ringdown/web-server/input';
import { reasons, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { Sessions } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import {
  addToGroup,
  DEFAULT_GROUP,
  removeContact,
  removeFromGroup,
  requireMembership,
} from '../contact-lists/contact-list.js';
import { ContactsQuery, MembershipInput } from './contact-list-input.js';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListResources } from './contact-list-resources.js';

/** The user's contacts and their memberships in groups (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people')
@UseGuards(TokenGuard, ServedVersionGuard)
export class ContactsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly lists: ContactLists,
    private readonly resources: ContactListResources,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  /** With `?groupId=`, only the members of one group. */
  @Get('contacts')
  @AnswersResource()
  async contacts(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() { groupId, expand }: ContactsQuery,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const { people } = this.directory;
    const list = await this.lists.of(owner);
    if (groupId === undefined) return this.resources.myContacts(id, list, people, expand);
    return this.resources.groupContacts(id, groupId, list, people, expand);
  }

  @Get('groupMemberships')
  @AnswersResource()
  async memberships(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.myGroupMemberships(id, await this.lists.of(owner), this.directory.people);
  }

  /** Adds a contact, or adds an existing contact to one more group. */
  @Post('groupMemberships')
  @AnswersResource()
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() input: MembershipInput,
  ): Promise<Resource> {
    const groupId = input.groupId || DEFAULT_GROUP;
    const { owner } = await this.sessions.find(principal, id);
    const person = this.directory.people.withSipAddress(input.contactUri.trim());
    if (person === undefined) throw new InterfaceError(reasons.personNotFound);
    await this.lists.change(owner, (list) => addToGroup(list, person.sipAddress, groupId));
    return this.resources.membership(id, person.sipAddress, groupId);
  }

  @Post('groupMemberships/removeContactFromAllGroups')
  @HttpCode(204)
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() { contactUri }: MembershipInput,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    await this.lists.change(owner, (list) => removeContact(list, contactSipUri(contactUri.trim())));
  }

  @Get('groupMemberships/:groupId/:address')
  @AnswersResource()
  async membership(
    @CurrentPrincipal() principal: Principal,
    @Param() { id, groupId, address }: MembershipPath,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    requireMembership(await this.lists.of(owner), contactSipUri(address), groupId);
    return this.resources.membership(id, contactSipUri(address), groupId);
  }

  @Delete('groupMemberships/:groupId/:address')
  @HttpCode(204)
  async removeFromGroup(
    @CurrentPrincipal() principal: Principal,
    @Param() { id, groupId, address }: MembershipPath,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    await this.lists.change(owner, (list) => removeFromGroup(list, contactSipUri(address), groupId));
  }
}

interface MembershipPath {
  readonly id: string;
  readonly groupId: string;
  readonly address: string;
}

/** Also accepts people who have left the directory. */
function contactSipUri(address: string): string {
  return `sip:${canonicalName(address).replace(/^sip:/, '')}`;
}
