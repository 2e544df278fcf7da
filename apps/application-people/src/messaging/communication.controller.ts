import { Controller, Get, Headers, HttpCode, Inject, Param, Post, Put, Res, UseGuards } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply } from 'fastify';
import { Sessions, stored } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { PutParameters } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { communicationSeed, CommunicationResources } from '../communication/communication-resources.js';
import { Communications } from './communications.js';
import { ConversationLookup } from './conversations/conversation-lookup.js';
import { ConversationResources } from './conversations/conversation-resources.js';
import { Invitations } from './invitations.js';
import {
  assertShort,
  communicationIn,
  CommunicationInput,
  DeclineInput,
  InvitationInput,
  invitationOf,
  type MessageBounds,
} from './messaging-input.js';
import { messagingReasons } from './messaging-reasons.js';

export const MESSAGE_BOUNDS = Symbol('message bounds');

/** Invites people to conversations, and answers invitations (web-interface.md, section 8). */
@Controller('uc/v1/applications/:id/communication')
@UseGuards(TokenGuard, ServedVersionGuard)
export class CommunicationController {
  constructor(
    private readonly sessions: Sessions,
    private readonly invitations: Invitations,
    private readonly lookup: ConversationLookup,
    private readonly communications: Communications,
    private readonly resources: CommunicationResources,
    private readonly conversationResources: ConversationResources,
    @Inject(MESSAGE_BOUNDS) private readonly bounds: MessageBounds,
  ) {}

  @Get()
  @AnswersResource()
  @GuestsWelcome()
  async communication(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const session = await this.sessions.find(principal, id);
    const communication = await stored(() => this.communications.of(session));
    return this.resources.communication(id, communication);
  }

  /** Updates what the client can do. */
  @Put()
  @HttpCode(204)
  async put(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @PutParameters((path) => communicationSeed(path['id'] ?? '')) input: CommunicationInput,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.communications.put(session, communicationIn(input), ifMatch));
  }

  /** All conversations that are not over, whatever the filter: the server has no others. */
  @Get('conversations')
  @AnswersResource()
  @GuestsWelcome()
  async conversations(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.conversationResources.conversations(id, await stored(() => this.lookup.openOf(id)));
  }

  @Post('messagingInvitations')
  @GuestsWelcome()
  async start(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() input: InvitationInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const invitation = invitationOf(input);
    if (invitation.message) assertShort(invitation.message.text, this.bounds);
    const session = await this.sessions.find(principal, id);
    const started = await stored(() => this.invitations.start(session, invitation));
    void reply.header('location', this.conversationResources.of(id).invitation({ id: started }));
  }

  @Get('messagingInvitations/:invitationId')
  @AnswersResource()
  @GuestsWelcome()
  async invitation(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<Resource> {
    await this.sessions.find(principal, id);
    const conversation = await stored(() => this.lookup.find(id, invitationId));
    return this.conversationResources.view(id, conversation).invitation();
  }

  @Post('messagingInvitations/:invitationId/accept')
  @HttpCode(204)
  async accept(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.invitations.accept(session, invitationId));
  }

  @Post('messagingInvitations/:invitationId/decline')
  @HttpCode(204)
  async decline(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
    @Parameters() { reason }: DeclineInput,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.invitations.decline(session, invitationId, reason));
  }

  /** Clients expect a form for adding a participant; the reply says that none can be added. */
  @Post('participantInvitations')
  async addParticipant(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.sessions.find(principal, id);
    throw new InterfaceError(messagingReasons.onlyTwo);
  }
}
