import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { InterfaceError } from '@ringdown/http-server';
import { ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { principalOf } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions, stored } from '../applications/sessions.js';
import { startAnswer } from '../http/answers.js';
import { SignedIn } from '../http/signed-in.guard.js';
import { CommunicationResources } from './communication-resources.js';
import { partiesOf, type Conversation } from './conversation.js';
import { addressOf } from './messaging-links.js';
import { messagingReasons } from './messaging-reasons.js';
import type { ConversationView } from './messaging-resources.js';
import { Messaging } from './messaging.js';

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

/** Reading a conversation and who is in it (web-interface.md, section 8). */
@Controller('uc/v1/applications/:id/communication/conversations/:conversationId')
@UseGuards(SignedIn)
export class ConversationsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly messaging: Messaging,
    private readonly resources: CommunicationResources,
    private readonly writer: ResourceWriter,
  ) {}

  @Get()
  conversation(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.conversationResource());
  }

  @Get('participants')
  participants(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.participants());
  }

  @Get('participants/:address')
  participant(
    @Param() params: ParticipantParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view, conversation) => {
      assertOther(conversation, params);
      return view.participant();
    });
  }

  @Get('participants/:address/messaging')
  participantMessaging(
    @Param() params: ParticipantParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view, conversation) => {
      assertOther(conversation, params);
      return view.participantMessaging(false);
    });
  }

  @Get('localParticipant')
  localParticipant(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.localParticipant());
  }

  @Get('localParticipant/messaging')
  localParticipantMessaging(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.participantMessaging(true));
  }

  @Get('messaging')
  messagingResource(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.messaging());
  }

  @Get('messaging/typingParticipants')
  typingParticipants(
    @Param() params: ConversationParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, (view) => view.typingParticipants());
  }

  @Get('messaging/messages/:number')
  message(
    @Param() params: MessageParams,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(params, request, reply, async (view) => {
      const { number, at, from, content } = await stored(() =>
        this.messaging.message(params.conversationId, params.number),
      );
      return from === params.id ? view.outgoingMessage(number, at, false) : view.incomingMessage(number, at, content);
    });
  }

  private async answer(
    { id, conversationId }: ConversationParams,
    request: FastifyRequest,
    reply: FastifyReply,
    resourceOf: (view: ConversationView, conversation: Conversation) => Resource | Promise<Resource>,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    await this.sessions.find(principalOf(request), id);
    const conversation = await stored(() => this.messaging.findOpen(id, conversationId));
    return answer(await resourceOf(this.resources.view(id, conversation), conversation));
  }
}

function assertOther(conversation: Conversation, { id, address }: ParticipantParams): void {
  const { other } = partiesOf(conversation, id);
  if (address.toLowerCase() !== addressOf(other).toLowerCase()) {
    throw new InterfaceError(messagingReasons.participantNotFound);
  }
}
