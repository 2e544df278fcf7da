import { Controller, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { QueryParameters } from '@ringdown/web-server/input';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply } from 'fastify';
import { Sessions, stored } from '../sessions/sessions.js';
import { Parameters, type InputRequest } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { ConversationResources } from './conversations/conversation-resources.js';
import { MESSAGE_BOUNDS } from './communication.controller.js';
import { Invitations } from './invitations.js';
import { Messaging } from './messaging.js';
import { assertShort, OperationInput, SendQuery, type MessageBounds } from './messaging-input.js';
import { readTextMessage } from './text-message.js';

/** Sends messages in a conversation (web-interface.md, section 8). */
@Controller('uc/v1/applications/:id/communication/conversations/:conversationId')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
export class MessagingController {
  constructor(
    private readonly sessions: Sessions,
    private readonly messaging: Messaging,
    private readonly invitations: Invitations,
    private readonly resources: ConversationResources,
    @Inject(MESSAGE_BOUNDS) private readonly bounds: MessageBounds,
  ) {}

  /** Also at the URL of a message: one bot sends its reply there. */
  @Post(['messaging/messages', 'messaging/messages/:number'])
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('conversationId') conversationId: string,
    @QueryParameters() { operationId }: SendQuery,
    @Req() request: InputRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const content = readTextMessage(request);
    assertShort(content.text, this.bounds);
    const session = await this.sessions.find(principal, id);
    const number = await stored(() => this.messaging.send(session, conversationId, content, operationId || undefined));
    void reply.header('location', this.resources.of(id).message({ id: conversationId }, number));
  }

  @Post('messaging/typing')
  @HttpCode(204)
  async type(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('conversationId') conversationId: string,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.messaging.type(session, conversationId));
  }

  @Post('messaging/terminate')
  @HttpCode(204)
  async stop(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('conversationId') conversationId: string,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.messaging.stop(session, conversationId));
  }

  /** A new conversation with the same person: nothing of the old one, which is over, is restored. */
  @Post('messagingInvitations')
  async startAgain(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('conversationId') conversationId: string,
    @Parameters() { operationId }: OperationInput,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const session = await this.sessions.find(principal, id);
    const started = await stored(() => this.invitations.startAgain(session, conversationId, operationId || undefined));
    void reply.header('location', this.resources.of(id).invitation({ id: started }));
  }
}
