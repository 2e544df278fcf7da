import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import { CallQueries } from '../store/call-queries.js';
import type { CallMessage } from '../traces/call-message.js';
import { TraceQueries, type Legs } from '../traces/trace-queries.js';
import { pcapHead, pcapPacket } from '../traces/write-pcap.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesParameter, isShown, type Identities } from './identities.js';
import { itemOf, MessageViews, timeText, type MessageItem } from './message-views.js';
import { NameSearches } from './name-searches.js';
import { OperatorsOnly } from './operator-guard.js';
import { OneOf, SearchWords } from './query-fields.js';

class MessagesQuery {
  @OneOf(['one', 'all'])
  legs: Legs = 'one';

  @SearchWords()
  q?: readonly string[];

  @IdentitiesParameter()
  identities?: Identities;
}

interface ShownMessages {
  readonly messages: readonly CallMessage[];
  readonly isTruncated: boolean;
}

@Controller('api/calls')
@OperatorsOnly()
export class MessagesController {
  constructor(
    private readonly traces: TraceQueries,
    private readonly calls: CallQueries,
    private readonly nameSearches: NameSearches,
    private readonly views: MessageViews,
  ) {}

  @Get(':callId/messages')
  async list(
    @Param('callId') callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
  ): Promise<{ items: readonly MessageItem[]; isTruncated: boolean }> {
    const { messages, isTruncated } = await this.messagesOf(callId, query, request);
    return { items: messages.map(itemOf), isTruncated };
  }

  @Get(':callId/messages.txt')
  async text(
    @Param('callId') callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { messages } = await this.messagesOf(callId, query, request);
    send(reply, 'txt', 'text/plain; charset=utf-8', messages.map(textOf).join('\n'));
  }

  @Get(':callId/messages.pcap')
  async pcap(
    @Param('callId') callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { messages } = await this.messagesOf(callId, query, request);
    const packets = messages.filter(({ payload }) => payload.length > 0).map(pcapPacket);
    send(reply, 'pcap', 'application/vnd.tcpdump.pcap', Buffer.concat([pcapHead(), ...packets]));
  }

  private async messagesOf(
    callId: string,
    { legs, q = [], identities }: MessagesQuery,
    request: FastifyRequest,
  ): Promise<ShownMessages> {
    const mayShow = isShown(request, identities);
    this.nameSearches.admit(request, { callId });
    const id = await fromDatabase(this.calls.callIdOf(callId));
    const found = await fromDatabase(this.traces.ofCall(id, legs));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    const shown = await this.views.of(found.messages, mayShow);
    // Only what is shown is searched: a search cannot tell who is behind a token.
    return { messages: shown.filter((message) => containsAll(message, q)), isTruncated: found.isTruncated };
  }
}

function containsAll({ content, payload }: CallMessage, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = content === 'sip' ? payload.toString('utf8').toLowerCase() : '';
  return words.every((word) => text.includes(word.toLowerCase()));
}

function textOf({ at, source, destination, content, payload, points }: CallMessage): string {
  const captured = points.map(({ frontEnd, name }) => (name === null ? frontEnd : `${frontEnd}/${name}`));
  const head = `${timeText(at)} ${endpoint(source)} -> ${endpoint(destination)} (${captured.join(', ')})`;
  const body = content === 'sip' ? payload.toString('utf8') : `RTCP ${payload.toString('hex')}`;
  return `${head}\n${body.trimEnd()}\n`;
}

function endpoint({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function send(reply: FastifyReply, ending: string, type: string, body: string | Buffer): void {
  void reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="messages.${ending}"`)
    .header('cache-control', 'no-store')
    .send(body);
}
