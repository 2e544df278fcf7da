import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { canonicalName } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import { Sessions, stored } from '../../sessions/sessions.js';
import { AnswersResource } from '../../http/answers.js';
import { ServedVersionGuard } from '../../http/served-version.guard.js';
import { ConversationLookup } from './conversation-lookup.js';
import { ConversationResources } from './conversation-resources.js';
import { conversationParties, type Conversation } from './conversation.js';
import { partyAddress } from '../messaging-links.js';
import { messagingReasons } from '../messaging-reasons.js';
import type { ConversationView } from '../messaging-resources.js';

interface ConversationParams {
  readonly id: string;
  readonly conversationId: string;
}

interface ParticipantParams extends ConversationParams {
  readonly address: string;
}

interface MessageParams extends ConversationParams {
  readonly number: string;
}

/** Reads a conversation and its participants (web-interface.md, section 8). */
@Controller('uc/v1/applications/:id/communication/conversations/:conversationId')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
@AnswersResource()
export class ConversationsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly lookup: ConversationLookup,
    private readonly resources: ConversationResources,
  ) {}

  @Get()
  async conversation(@CurrentPrincipal() principal: Principal, @Param() params: ConversationParams): Promise<Resource> {
    return (await this.viewed(principal, params)).conversationResource();
  }

  @Get('participants')
  async participants(@CurrentPrincipal() principal: Principal, @Param() params: ConversationParams): Promise<Resource> {
    return (await this.viewed(principal, params)).participants();
  }

  @Get('participants/:address')
  async participant(@CurrentPrincipal() principal: Principal, @Param() params: ParticipantParams): Promise<Resource> {
    return (await this.viewedWithOther(principal, params)).participant();
  }

  @Get('participants/:address/messaging')
  async participantMessaging(
    @CurrentPrincipal() principal: Principal,
    @Param() params: ParticipantParams,
  ): Promise<Resource> {
    return (await this.viewedWithOther(principal, params)).participantMessaging(false);
  }

  @Get('localParticipant')
  async localParticipant(
    @CurrentPrincipal() principal: Principal,
    @Param() params: ConversationParams,
  ): Promise<Resource> {
    return (await this.viewed(principal, params)).localParticipant();
  }

  @Get('localParticipant/messaging')
  async localParticipantMessaging(
    @CurrentPrincipal() principal: Principal,
    @Param() params: ConversationParams,
  ): Promise<Resource> {
    return (await this.viewed(principal, params)).participantMessaging(true);
  }

  @Get('messaging')
  async messagingResource(
    @CurrentPrincipal() principal: Principal,
    @Param() params: ConversationParams,
  ): Promise<Resource> {
    return (await this.viewed(principal, params)).messaging();
  }

  @Get('messaging/typingParticipants')
  async typingParticipants(
    @CurrentPrincipal() principal: Principal,
    @Param() params: ConversationParams,
  ): Promise<Resource> {
    return (await this.viewed(principal, params)).typingParticipants();
  }

  @Get('messaging/messages/:number')
  async message(@CurrentPrincipal() principal: Principal, @Param() params: MessageParams): Promise<Resource> {
    const view = await this.viewed(principal, params);
    const { number, at, from, content } = await stored(() => this.lookup.message(params.conversationId, params.number));
    return from === params.id ? view.outgoingMessage(number, at, false) : view.incomingMessage(number, at, content);
  }

  private async viewed(principal: Principal, params: ConversationParams): Promise<ConversationView> {
    return this.resources.view(params.id, await this.find(principal, params));
  }

  private async viewedWithOther(principal: Principal, params: ParticipantParams): Promise<ConversationView> {
    const conversation = await this.find(principal, params);
    assertOther(conversation, params);
    return this.resources.view(params.id, conversation);
  }

  private async find(principal: Principal, { id, conversationId }: ConversationParams): Promise<Conversation> {
    await this.sessions.find(principal, id);
    return stored(() => this.lookup.findOpen(id, conversationId));
  }
}

function assertOther(conversation: Conversation, { id, address }: ParticipantParams): void {
  const { other } = conversationParties(conversation, id);
  if (canonicalName(address) !== canonicalName(partyAddress(other))) {
    throw new InterfaceError(messagingReasons.participantNotFound);
  }
}
