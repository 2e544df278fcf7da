import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, UseGuards } from '@nestjs/common';
import { DIRECTORY, canonicalName, type Directory } from '@ringdown/directory';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import { QueryParameters } from '@ringdown/web-server/input';
import type { Resource } from '@ringdown/hypermedia';
import { requestPrincipal, TokenGuard } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { Sessions, stored, type Session } from '../sessions/sessions.js';
import { groupMembers } from '../contact-lists/contact-list.js';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { ExtensionInput, MembershipsQuery, MembersInput, SubscriptionInput } from './subscription-input.js';
import { SubscriptionResources } from './subscription-resources.js';
import { Subscriptions } from './subscriptions.js';
import {
  addPeople,
  extend,
  removePerson,
  subscribe,
  unsubscribe,
  type PresenceSubscription,
  type WatchListChange,
} from '../presence-store/watch-list.js';

const subscriptionNotFound: ErrorRow = {
  status: 404,
  code: 'NotFound',
  message: 'The subscription does not exist; it may have ended.',
};
const groupMembersFixed: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'OperationNotSupported',
  message: 'The members of this subscription are those of its group.',
};

/** Subscriptions of a session to the presence of others (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people')
@UseGuards(TokenGuard, ServedVersionGuard)
export class SubscriptionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly subscriptions: Subscriptions,
    private readonly contactLists: ContactLists,
    private readonly resources: SubscriptionResources,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get('presenceSubscriptions')
  @AnswersResource()
  async list(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Resource> {
    return this.resources.presenceSubscriptions(id, await this.own(id, request));
  }

  /** A subscription to people by their addresses, or to a group. Unknown addresses are left out. */
  @Post('presenceSubscriptions')
  @AnswersResource()
  async subscribe(
    @Param('id') id: string,
    @Parameters() { duration, groupId, uris }: SubscriptionInput,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const session = await this.session(id, request);
    const subscription: PresenceSubscription = {
      ...(groupId
        ? await this.toGroup(session, groupId)
        : { id: randomBytes(4).toString('hex'), groupId: null, uris: this.known(uris) }),
      expiresAt: Date.now() + duration * 60_000,
      isEnding: false,
    };
    await this.change(session, subscribe(id, subscription));
    return this.resources.presenceSubscription(id, subscription);
  }

  @Get('presenceSubscriptions/:subscriptionId')
  @AnswersResource()
  async read(
    @Param('id') id: string,
    @Param('subscriptionId') subscriptionId: string,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    return this.resources.presenceSubscription(id, found(await this.own(id, request), subscriptionId));
  }

  @Post('presenceSubscriptions/:subscriptionId')
  @AnswersResource()
  @HttpCode(200)
  async extend(
    @Param('id') id: string,
    @Param('subscriptionId') subscriptionId: string,
    @Parameters() { duration }: ExtensionInput,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const session = await this.session(id, request);
    const subscription = found(await this.of(session), subscriptionId);
    await this.change(session, extend(id, subscriptionId, duration, Date.now()));
    return this.resources.presenceSubscription(id, subscription);
  }

  @Delete('presenceSubscriptions/:subscriptionId')
  @HttpCode(204)
  async unsubscribe(
    @Param('id') id: string,
    @Param('subscriptionId') subscriptionId: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const session = await this.session(id, request);
    found(await this.of(session), subscriptionId);
    await this.change(session, unsubscribe(id, subscriptionId));
  }

  @Get('subscribedContacts')
  @AnswersResource()
  async subscribedContacts(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Resource> {
    return this.resources.subscribedContacts(id, await this.own(id, request), this.directory.people);
  }

  @Get('presenceSubscriptionMemberships')
  @AnswersResource()
  async memberships(
    @Param('id') id: string,
    @QueryParameters() { presenceSubscriptionId: wanted }: MembershipsQuery,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const own = await this.own(id, request);
    return this.resources.memberships(id, wanted === undefined ? own : [found(own, wanted)], wanted);
  }

  @Post('presenceSubscriptionMemberships')
  @AnswersResource()
  async addPeople(
    @Param('id') id: string,
    @Parameters() { presenceSubscriptionId: subscriptionId, contactUris }: MembersInput,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const uris = this.known(contactUris);
    const session = await this.session(id, request);
    if (found(await this.of(session), subscriptionId).groupId !== null) throw new InterfaceError(groupMembersFixed);
    await this.change(session, addPeople(id, subscriptionId, uris));
    const after = found(await this.of(session), subscriptionId);
    return this.resources.memberships(id, [after], subscriptionId);
  }

  @Get('presenceSubscriptionMemberships/:subscriptionId/:address')
  @AnswersResource()
  async membership(
    @Param('id') id: string,
    @Param('subscriptionId') subscriptionId: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
  ): Promise<Resource> {
    const subscription = found(await this.own(id, request), subscriptionId);
    return this.resources.membership(id, subscriptionId, member(subscription, address));
  }

  @Delete('presenceSubscriptionMemberships/:subscriptionId/:address')
  @HttpCode(204)
  async removePerson(
    @Param('id') id: string,
    @Param('subscriptionId') subscriptionId: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const session = await this.session(id, request);
    const subscription = found(await this.of(session), subscriptionId);
    const uri = member(subscription, address);
    if (subscription.groupId !== null) throw new InterfaceError(groupMembersFixed);
    await this.change(session, removePerson(id, subscriptionId, uri));
  }

  private async toGroup(
    { owner }: Session,
    groupId: string,
  ): Promise<Pick<PresenceSubscription, 'id' | 'groupId' | 'uris'>> {
    return { id: groupId, groupId, uris: groupMembers(await this.contactLists.of(owner), groupId) };
  }

  private known(uris: readonly string[]): readonly string[] {
    return uris.filter((uri) => this.directory.people.withSipAddress(uri) !== undefined);
  }

  private session(id: string, request: FastifyRequest): Promise<Session> {
    return this.sessions.find(requestPrincipal(request), id);
  }

  private async own(id: string, request: FastifyRequest): Promise<readonly PresenceSubscription[]> {
    return this.of(await this.session(id, request));
  }

  private of({ application, owner }: Session): Promise<readonly PresenceSubscription[]> {
    return stored(() => this.subscriptions.of(owner.username, application.id));
  }

  private change({ owner }: Session, change: WatchListChange): Promise<void> {
    return stored(() => this.subscriptions.change(owner.username, change));
  }
}

function found(subscriptions: readonly PresenceSubscription[], id: string): PresenceSubscription {
  const subscription = subscriptions.find((each) => each.id === id);
  if (subscription === undefined) throw new InterfaceError(subscriptionNotFound);
  return subscription;
}

/** The SIP address as the subscription contains it. */
function member({ uris }: PresenceSubscription, address: string): string {
  const uri = `sip:${canonicalName(address).replace(/^sip:/, '')}`;
  if (!uris.includes(uri)) throw new InterfaceError(subscriptionNotFound);
  return uri;
}
