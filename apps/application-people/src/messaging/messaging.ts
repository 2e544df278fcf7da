import { Inject, Injectable } from '@nestjs/common';
import { reasonOf } from '@ringdown/errors';
import { Fault, InterfaceError } from '@ringdown/web-server';
import { canonicalName } from '@ringdown/directory';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '../sessions/sessions.js';
import { EventChannels } from '../events/event-channels.js';
import type { Receipt } from '../events/session-event.js';
import { Communications } from './communications.js';
import {
  isOpenTo,
  partiesOf,
  statusOf,
  type Content,
  type Conversation,
  type ConversationParty,
  type Importance,
  type MessagingRules,
  type ConversationStep,
} from './conversation.js';
import { ConversationStore } from './conversation-store.js';
import { Deliveries } from './deliveries.js';
import { Destinations } from './destinations.js';
import { leave, send, settleMessage, stop, type } from './dialogue.js';
import { guestName } from './guest-name.js';
import { accept, decline, invite, type DeclineScope } from './invitation.js';
import { MeetingGuests } from './meeting-guests.js';
import { MessageStore, type StoredMessage } from './message-store.js';
import { messagingReasons } from './messaging-reasons.js';
import { OwnConversations, type Operation, type WantedConversation } from './own-conversations.js';
import { RULES } from './rules.js';

/** The content of an invitation. */
export interface InvitationRequest {
  readonly to: string;
  readonly operationId: string | undefined;
  readonly subject: string | undefined;
  readonly threadId: string | undefined;
  readonly importance: Importance;
  readonly message: Content | undefined;
  /** Of no meaning to us; it only distinguishes requests. */
  readonly sessionContext: unknown;
  /** What a guest wants to be called. */
  readonly displayName: string | undefined;
}

/**
 * Conversations between signed-in people (web-interface.md, section 8): who may do what, with errors of the interface.
 * The functions of `invitation.ts` and `dialogue.ts` decide what happens in a conversation.
 */
@Injectable()
export class Messaging {
  private readonly pending = new Set<Promise<void>>();
  private readonly sent;

  constructor(
    private readonly store: ConversationStore,
    private readonly own: OwnConversations,
    private readonly messages: MessageStore,
    private readonly deliveries: Deliveries,
    private readonly destinations: Destinations,
    private readonly communications: Communications,
    private readonly guests: MeetingGuests,
    @Inject(RULES) private readonly rules: MessagingRules,
    @Inject(LOGGER) private readonly logger: Logger,
    channels: EventChannels,
    metrics: Metrics,
  ) {
    this.sent = metrics.counter('messages_total', 'Messages that were sent in conversations');
    channels.onDelivered((receipt) => this.runInBackground(() => this.confirmDelivery(receipt)));
  }

  /**
   * Starts a conversation and returns its id; a failure to reach the person is reported by events, like everything
   * after.
   */
  async start(session: Session, request: InvitationRequest): Promise<string> {
    const { application, owner, guestOf } = session;
    const { store, rules, communications, destinations, guests } = this;
    const { to, operationId, importance, message } = request;
    const meeting = guestOf === undefined ? undefined : await guests.meetingFor(guestOf, to);
    const subject = meeting?.subject ?? request.subject;
    const threadId = request.threadId ?? randomBytes(16).toString('base64url');
    const id = await this.reserve(application.id, operationOf(request), threadId);
    if ((await store.read(id)) !== undefined) return id;
    if (guestOf !== undefined) await this.admitGuest(session, guestOf, id);
    const { supportedMessageFormats: formats } = await communications.of(session);
    const { callee, applications, failure } = await destinations.find(to, {
      application: application.id,
      caller: owner.sipAddress,
      threadId,
    });
    const wanted = {
      id,
      threadId,
      ...(operationId === undefined ? {} : { operationId }),
      ...(subject === undefined ? {} : { subject }),
      importance,
      firstMessage: message ?? null,
      caller: callerOf(session, request),
      callerAt: application.id,
      formats,
      callee,
    };
    await store.create(invite(wanted, { applications, failure }, Date.now(), rules));
    await this.deliver(id);
    return id;
  }

  /** Sends a new invitation to the other person of a conversation that is over. */
  async startAgain(session: Session, id: string, operationId: string | undefined): Promise<string> {
    const conversation = await this.find(session.application.id, id);
    const { subject, importance } = conversation;
    const { own, other } = partiesOf(conversation, session.application.id);
    const [to, displayName] = [other.uri, own.name];
    return this.start(session, { to, operationId, subject, importance, displayName, ...NOTHING_MORE });
  }

  /** The conversation, as long as it can still be read; throws when the application is not part of it. */
  async find(application: string, id: string): Promise<Conversation> {
    const conversation = (await this.store.read(id))?.conversation;
    if (conversation === undefined || statusOf(conversation, application) === undefined) {
      throw new InterfaceError(messagingReasons.invitationNotFound);
    }
    return conversation;
  }

  /** As {@link find}, but throws when the conversation is over for the application. */
  async findOpen(application: string, id: string): Promise<Conversation> {
    const conversation = (await this.store.read(id))?.conversation;
    if (conversation === undefined || !isOpenTo(conversation, application)) {
      throw new InterfaceError(messagingReasons.conversationNotFound);
    }
    return conversation;
  }

  async conversationsOf(application: string): Promise<readonly Conversation[]> {
    const { own, store } = this;
    const all = await Promise.all((await own.of(application)).map((id) => store.read(id)));
    return all.flatMap((stored) => (stored && isOpenTo(stored.conversation, application) ? [stored.conversation] : []));
  }

  async accept(session: Session, id: string): Promise<void> {
    const { application } = session;
    const { supportedMessageFormats: formats } = await this.communications.of(session);
    await this.answer(application.id, id, (conversation) => accept(conversation, application.id, formats, Date.now()));
  }

  async decline({ application }: Session, id: string, scope: DeclineScope): Promise<void> {
    await this.answer(application.id, id, (conversation) => decline(conversation, application.id, scope, Date.now()));
  }

  /** Hangs up, or cancels an invitation. */
  async stop({ application }: Session, id: string): Promise<void> {
    const step = await this.change(id, (conversation) => stop(conversation, application.id, Date.now()));
    if (step === undefined || step === 'over') throw new InterfaceError(messagingReasons.conversationNotFound);
  }

  /** Returns the number of the message. */
  async send({ application }: Session, id: string, content: Content, operationId: string | undefined): Promise<number> {
    const { formats } = await this.findOpen(application.id, id);
    if (!formats.includes(content.format)) {
      throw new Fault('unsupported-media-type', { message: 'The other client does not support this format.' });
    }
    const message = { content, operationId };
    const step = await this.change(id, (conversation) =>
      send(conversation, application.id, message, Date.now(), this.rules),
    );
    if (step === undefined || step === 'over') throw await this.notConnected(application.id, id);
    if (step === 'full') {
      const text = 'The other client has too many messages to fetch.';
      throw new Fault('too-many-requests', { message: text, headers: { 'retry-after': '5' } });
    }
    this.sent.inc();
    return step.number;
  }

  /** One of the newest messages. */
  async message(id: string, number: string): Promise<StoredMessage> {
    const known = /^[1-9]\d{0,9}$/.test(number) ? await this.messages.read(id, Number(number)) : undefined;
    if (known === undefined) throw new InterfaceError(messagingReasons.messageNotFound);
    return known;
  }

  async type({ application }: Session, id: string): Promise<void> {
    const step = await this.change(id, (conversation) => type(conversation, application.id, Date.now(), this.rules));
    if (step === undefined || step === 'over') throw await this.notConnected(application.id, id);
  }

  /** An ended application leaves all its conversations; they stay open for the other side. */
  async applicationEnded(application: string): Promise<void> {
    for (const id of await this.own.of(application)) {
      await this.change(id, (conversation) => leave(conversation, application, Date.now()));
    }
    await this.own.delete(application);
  }

  /** Waits for operations in progress. */
  async close(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** A new id, or that of the pending invitation which the request repeats (web-interface.md, section W17). */
  private async reserve(application: string, operation: Operation | undefined, threadId: string): Promise<string> {
    let settled: string | undefined;
    for (;;) {
      const id = await this.reserveOne(application, { operation, threadId, settled });
      const known = (await this.store.read(id))?.conversation;
      if (known === undefined || known.phase === 'ringing') return id;
      settled = id;
    }
  }

  private async admitGuest({ application }: Session, guestOf: string, id: string): Promise<void> {
    try {
      await this.guests.admit(guestOf, id);
    } catch (error) {
      // No conversation will have the reserved id.
      await this.own.remove(application.id, [id]);
      throw error;
    }
  }

  private async reserveOne(application: string, wanted: WantedConversation): Promise<string> {
    const { own, store } = this;
    let reserved = await own.reserve(application, wanted);
    if (reserved === 'full') {
      // A replica that crashed may have left ids of conversations that were never created.
      const all = await own.of(application);
      const conversations = await Promise.all(all.map((each) => store.read(each)));
      const lost = all.filter((_each, index) => conversations[index] === undefined);
      await own.remove(application, lost);
      reserved = await own.reserve(application, wanted);
    }
    if (typeof reserved === 'object') return reserved.id;
    throw new InterfaceError(messagingReasons[reserved]);
  }

  private async answer(
    application: string,
    id: string,
    make: (conversation: Conversation) => ConversationStep | 'over',
  ): Promise<void> {
    await this.find(application, id);
    const step = await this.change(id, make);
    if (step === undefined || step === 'over') throw new InterfaceError(messagingReasons.invitationOver);
  }

  private async change<O extends ConversationStep | string>(
    id: string,
    make: (conversation: Conversation) => O,
  ): Promise<O | undefined> {
    const outcome = await this.store.change(id, make);
    if (typeof outcome === 'object') await this.deliver(id);
    return outcome;
  }

  /** Stored events are delivered sooner or later: if not by this replica now, then by one that finds them overdue. */
  private async deliver(id: string): Promise<void> {
    try {
      await this.deliveries.deliver(id);
    } catch (error) {
      this.logger.warn({ reason: reasonOf(error) }, 'could not deliver events of a conversation yet');
    }
  }

  private async confirmDelivery({ conversation: id, number }: Receipt): Promise<void> {
    await this.change(id, (conversation) => settleMessage(conversation, number, true, Date.now()));
  }

  private async notConnected(application: string, id: string): Promise<InterfaceError> {
    await this.findOpen(application, id);
    return new InterfaceError(messagingReasons.notConnected);
  }

  private runInBackground(work: () => Promise<void>): void {
    const begun = work()
      .catch((error: unknown) => {
        // The timeout of the message corrects this.
        this.logger.warn({ reason: reasonOf(error) }, 'could not confirm a message yet');
      })
      .finally(() => this.pending.delete(begun));
    this.pending.add(begun);
  }
}

const NOTHING_MORE = { threadId: undefined, message: undefined, sessionContext: undefined } as const;

function callerOf({ owner, guestOf }: Session, { displayName }: InvitationRequest): ConversationParty {
  const { sipAddress: uri, name, username } = owner;
  return guestOf === undefined ? { uri, name, username } : { uri, name: guestName(displayName), username, guestOf };
}

/** Clients use one operation id for several invitations, so what they contain belongs to the operation. */
function operationOf(request: InvitationRequest): Operation | undefined {
  const { operationId, to, subject, threadId, message, sessionContext } = request;
  if (operationId === undefined) return undefined;
  const address = canonicalName(to).replace(/^sip:/, '');
  const content = JSON.stringify([address, subject, threadId, message, sessionContext]);
  return { operationId, content: createHash('sha256').update(content).digest('base64url') };
}
