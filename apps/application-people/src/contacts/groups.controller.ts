import { Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { QueryParameters } from '@ringdown/web-server/input';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { randomBytes } from 'node:crypto';
import { Sessions } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { ListQuery } from '../http/parameter-fields.js';
import { Parameters } from '../http/parameters.js';
import { PutParameters, requireMatch } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { addGroup, isFixed, ownGroup, removeGroup, renameGroup } from '../contact-lists/contact-list.js';
import { ChangedGroup, NewGroup } from './contact-list-input.js';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListResources, groupEtag } from './contact-list-resources.js';

/** The groups of the user's contacts (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people/groups')
@UseGuards(TokenGuard, ServedVersionGuard)
export class GroupsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly lists: ContactLists,
    private readonly resources: ContactListResources,
  ) {}

  @Get()
  @AnswersResource()
  async groups(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() { expand }: ListQuery,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.myGroups(id, await this.lists.of(owner), expand);
  }

  /** From then on the new group is in `myGroups`, and an event reports it. */
  @Post()
  @HttpCode(204)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() { displayName }: NewGroup,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    const group = { id: randomBytes(6).toString('hex'), name: displayName.trim() };
    await this.lists.change(owner, (list) => addGroup(list, group));
  }

  @Get(':groupId')
  @AnswersResource()
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('groupId') groupId: string,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.group(id, groupId, await this.lists.of(owner));
  }

  /** Renames the group if it has not changed since the client read it (web-interface.md, section 9). */
  @Put(':groupId')
  @HttpCode(204)
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('groupId') groupId: string,
    @PutParameters(seedOfGroup) { name }: ChangedGroup,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    await this.lists.change(owner, (list) => {
      requireMatch(ifMatch, groupEtag(ownGroup(list, groupId)));
      return renameGroup(list, { id: groupId, name: name.trim() });
    });
  }

  @Delete(':groupId')
  @HttpCode(204)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('groupId') groupId: string,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    await this.lists.change(owner, (list) => removeGroup(list, groupId));
  }
}

function seedOfGroup({ groupId = '' }: Readonly<Record<string, string>>): string | undefined {
  return isFixed(groupId) ? undefined : groupId;
}
