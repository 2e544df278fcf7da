import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { QueryParameters } from '@ringdown/web-server/input';
import { ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, photoCookie, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { channelKey } from '../events/channel-key.js';
import { firstUnacknowledged, NEW_CHANNEL, type Channel } from '../events/channel.js';
import { EventChannels } from '../events/event-channels.js';
import { AnswersResource } from '../http/answers.js';
import { InstanceQuery } from '../http/parameter-fields.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PeopleResources } from '../people/people-resources.js';
import type { AvailableClient } from '../presence-store/presence-record.js';
import { OwnPresenceOperations } from '../presence/own-presence-operations.js';
import { ApplicationInput } from './application-input.js';
import { ApplicationResources } from './resources.js';
import { Sessions, stored, type Session } from '../sessions/sessions.js';

/** Creates, reads and ends applications (web-interface.md, section 3). */
@Controller('uc/v1/applications')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
export class ApplicationsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly channels: EventChannels,
    private readonly resources: ApplicationResources,
    private readonly people: PeopleResources,
    private readonly presence: OwnPresenceOperations,
    private readonly writer: ResourceWriter,
  ) {}

  /**
   * 201 for a client that exists already, because some clients accept no other status; 200 for a tab that exists
   * already.
   */
  @Post()
  @AnswersResource()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Parameters() input: ApplicationInput,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Resource> {
    const instance = input.instanceId ?? null;
    const session = await this.sessions.create(principal, input);
    if (instance !== null && !session.isNew) void reply.status(200);
    if (session.isNew && !session.isFirst) await this.presence.addedInstance(session);
    this.setPhotoCookie(session, principal, request, reply);
    return session.isFirst ? this.newResource(session, instance) : this.resourceOf(session, instance);
  }

  @Get(':id')
  @AnswersResource()
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() { instanceId: instance }: InstanceQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Resource> {
    const session = await this.sessions.find(principal, id, instance);
    this.setPhotoCookie(session, principal, request, reply);
    return this.resourceOf(session, instance);
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() { instanceId }: InstanceQuery,
  ): Promise<void> {
    await this.sessions.delete(principal, id, instanceId);
  }

  @Get(':id/policies')
  @AnswersResource()
  async policies(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.resources.policies(id);
  }

  @Get(':id/me')
  @AnswersResource()
  async me(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const session = await this.sessions.find(principal, id);
    const links = this.presence.linksFor(session, await this.presence.clientOf(session));
    return this.resources.me(session, links);
  }

  /** Guests do not see photos. */
  private setPhotoCookie(session: Session, principal: Principal, request: FastifyRequest, reply: FastifyReply): void {
    const path = this.people.photosHref(session.application.id);
    const cookie = session.isGuest ? undefined : photoCookie(request, principal, path, this.writer.web);
    if (cookie !== undefined) void reply.header('set-cookie', cookie);
  }

  /** Nothing is stored for it yet: no event was delivered, and its user is not available in it. */
  private newResource(session: Session, instance: string | null): Resource {
    return this.resource(session, instance, NEW_CHANNEL, undefined);
  }

  private async resourceOf(session: Session, instance: string | null): Promise<Resource> {
    const { id, instances } = session.application;
    const channel = instances.includes(instance)
      ? await stored(() => this.channels.read(channelKey(id, instance)))
      : undefined;
    return this.resource(session, instance, channel, await this.presence.clientOf(session));
  }

  private resource(
    session: Session,
    instance: string | null,
    channel: Channel | undefined,
    client: AvailableClient | undefined,
  ): Resource {
    const nextPackage = channel && firstUnacknowledged(channel);
    const ownLinks = this.presence.linksFor(session, client);
    return this.resources.application(session, { instance, nextPackage, ownLinks, client });
  }
}
