import { Controller, Delete, Get, HttpCode, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { Sessions } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { requireMatch } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { addGroup, ownGroup, removeGroup, renameGroup } from '../contact-lists/contact-list.js';
import { readChangedGroup, readNewGroup } from './contact-list-input.js';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { ContactListResources, groupEtag } from './contact-list-resources.js';
import { isExpanded } from './contacts.controller.js';

/** The groups of the user's contacts (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people/groups')
@UseGuards(TokenGuard, ServedVersionGuard)
export class GroupsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly lists: ContactLists,
    private readonly resources: ContactListResources,
    private readonly writer: ResourceWriter,
  ) {}

  @Get()
  @AnswersResource()
  async groups(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    return this.resources.myGroups(id, await this.lists.of(owner), isExpanded(request));
  }

  /** The new group is in `myGroups` from then on, and in an event. */
  @Post()
  @HttpCode(204)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest<{ Body: Buffer | undefined }>,
  ): Promise<void> {
    const name = readNewGroup(request, this.writer.web);
    const { owner } = await this.sessions.find(principal, id);
    const group = { id: randomBytes(6).toString('hex'), name };
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

  /** Gives the group another name, if it is still as the client has read it (web-interface.md, section 9). */
  @Put(':groupId')
  @HttpCode(204)
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('groupId') groupId: string,
    @Req() request: FastifyRequest<{ Body: Buffer | undefined }>,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    ownGroup(await this.lists.of(owner), groupId);
    const name = readChangedGroup(request, groupId, this.writer.web);
    await this.lists.change(owner, (list) => {
      requireMatch(request.headers['if-match'], groupEtag(ownGroup(list, groupId)));
      return renameGroup(list, { id: groupId, name });
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
