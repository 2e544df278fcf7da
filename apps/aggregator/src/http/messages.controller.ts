import type { MessageList, CallMessage as MessageItem } from '@ringdown/answers/messages';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { LOGGER, type Logger } from '@ringdown/observability';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import { CallQueries } from '../store/calls/call-queries.js';
import type { CallMessage } from '../traces/call-message.js';
import type { FollowedItem, FollowedItems } from '../live/item-reader.js';
import { LiveMessages } from '../traces/live-messages.js';
import { asPcap, asText, messageItem } from '../traces/message-forms.js';
import { MessageViews } from '../traces/message-views.js';
import { TraceQueries, type CallMessages, type Legs } from '../traces/trace-queries.js';
import { CallIdParameter } from './call-id-parameter.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesParameter, isShown, type Identities } from '../search/names/identities.js';
import { LiveStream } from './live-stream.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';
import { OneOf, SearchWords } from '../search/filter/query-fields.js';
import { foldText } from '../search/words/search-text.js';

class MessagesQuery {
  @OneOf(['one', 'all'])
  legs: Legs = 'one';

  @SearchWords()
  q?: readonly string[];

  @IdentitiesParameter()
  identities?: Identities;
}

@Controller('api/calls')
@OperatorsOnly()
export class MessagesController {
  constructor(
    private readonly traces: TraceQueries,
    private readonly calls: CallQueries,
    private readonly nameSearches: NameSearches,
    private readonly views: MessageViews,
    private readonly live: LiveMessages,
    private readonly liveStream: LiveStream,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get(':callId/messages')
  async list(
    @CallIdParameter() callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
  ): Promise<MessageList> {
    const { messages, isTruncated } = await this.messagesOf(callId, query, request);
    return { items: messages.map(messageItem), isTruncated };
  }

  @Get(':callId/messages.txt')
  async text(
    @CallIdParameter() callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { messages } = await this.messagesOf(callId, query, request);
    send(reply, 'txt', 'text/plain; charset=utf-8', asText(messages));
  }

  @Get(':callId/messages.pcap')
  async pcap(
    @CallIdParameter() callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { messages } = await this.messagesOf(callId, query, request);
    send(reply, 'pcap', 'application/vnd.tcpdump.pcap', asPcap(messages));
  }

  @Get(':callId/messages/stream')
  async stream(
    @CallIdParameter() callId: string,
    @Query() query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mayShow = isShown(request, query.identities);
    const { live, logger } = this;
    const id = await this.idOf(callId, request);
    const read = async (): Promise<FollowedItems> => {
      const { callKeys, messages } = await this.read(id, query, mayShow);
      return { callKeys: new Set(callKeys), items: messages.map(messageItem).map(followed) };
    };
    await this.liveStream.serveWith(request, reply, { isShown: mayShow, isFull: live.isFull }, (reader) =>
      live.follow({ ...reader, event: 'message', read, logger }),
    );
  }

  private async messagesOf(callId: string, query: MessagesQuery, request: FastifyRequest): Promise<CallMessages> {
    const mayShow = isShown(request, query.identities);
    return this.read(await this.idOf(callId, request), query, mayShow);
  }

  /** The CallId of the requested call, which is given by its CallId or by the mark that is shown instead. */
  private idOf(callId: string, request: FastifyRequest): Promise<string> {
    this.nameSearches.admit(request, { callId });
    return fromDatabase(this.calls.callIdOf(callId));
  }

  /** As the client may see them. */
  private async read(id: string, { legs, q = [] }: MessagesQuery, mayShow: boolean): Promise<CallMessages> {
    const found = await fromDatabase(this.traces.ofCall(id, legs));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    const shown = await this.views.of(found.messages, mayShow);
    // Only what is shown is searched: a search cannot tell who is behind a token.
    return { ...found, messages: shown.filter((message) => containsAll(message, q)) };
  }
}

/** A message is sent again when another point has captured it too. */
function followed(item: MessageItem): FollowedItem {
  return { id: item.id, revision: item.points.length, text: () => Promise.resolve(JSON.stringify(item)) };
}

function containsAll({ content, payload }: CallMessage, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = content === 'sip' ? foldText(payload.toString('utf8')) : '';
  return words.every((word) => text.includes(word));
}

function send(reply: FastifyReply, ending: string, type: string, body: string | Buffer): void {
  void reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="messages.${ending}"`)
    .header('cache-control', 'no-store')
    .send(body);
}
