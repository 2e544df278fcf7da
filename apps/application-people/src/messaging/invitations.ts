import { Inject, Injectable } from '@nestjs/common';
import { canonicalName } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/web-server/errors';
import { createHash, randomBytes } from 'node:crypto';
import type { Session } from '../sessions/sessions.js';
import { Communications } from './communications.js';
import {
  conversationParties,
  type Content,
  type Conversation,
  type ConversationParty,
  type ConversationStep,
  type Importance,
  type MessagingRules,
} from './conversations/conversation.js';
import { ConversationLookup } from './conversations/conversation-lookup.js';
import { ConversationSteps } from './conversations/conversation-steps.js';
import { ConversationStore } from './conversations/conversation-store.js';
import type { Decline } from './decline-reasons.js';
import { Destinations } from './destinations.js';
import { guestName } from './guests/guest-name.js';
import { accept, decline, invite } from './invitation.js';
import { InvitationAllowances } from './guests/invitation-allowances.js';
import { MeetingGuests } from './guests/meeting-guests.js';
import { messagingReasons } from './messaging-reasons.js';
import { OwnConversations, type Operation, type WantedConversation } from './conversations/own-conversations.js';
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
 * Invites people to conversations and answers invitations (web-interface.md, section 8), with errors of the interface.
 * The functions of `invitation.ts` decide what happens in a conversation.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly store: ConversationStore,
    private readonly lookup: ConversationLookup,
    private readonly steps: ConversationSteps,
    private readonly own: OwnConversations,
    private readonly destinations: Destinations,
    private readonly communications: Communications,
    private readonly guests: MeetingGuests,
    private readonly allowances: InvitationAllowances,
    @Inject(RULES) private readonly rules: MessagingRules,
  ) {}

  /**
   * Starts a conversation and returns its id; a failure to reach the person is reported by events, like everything
   * after.
   */
  async start(session: Session, request: InvitationRequest): Promise<string> {
    const { application, owner, guestOf } = session;
    const { store, steps, rules, communications, destinations, guests } = this;
    const { to, operationId, importance, message } = request;
    const meeting = guestOf === undefined ? undefined : await guests.meetingFor(guestOf, to);
    const subject = meeting?.subject ?? request.subject;
    const threadId = request.threadId ?? randomBytes(16).toString('base64url');
    const id = await this.reserve(application.id, operationOf(request), threadId);
    if ((await store.read(id)) !== undefined) return id;
    await this.admit(session, id);
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
    await steps.deliver(id);
    return id;
  }

  /** Sends a new invitation to the other person of a conversation that is over. */
  async startAgain(session: Session, id: string, operationId: string | undefined): Promise<string> {
    const conversation = await this.lookup.find(session.application.id, id);
    const { subject, importance } = conversation;
    const { own, other } = conversationParties(conversation, session.application.id);
    // At once: some clients use the link whenever a conversation ends, also after a failure.
    if (other.guestOf !== undefined) throw new InterfaceError(messagingReasons.guestHasLeft);
    const [to, displayName] = [other.uri, own.name];
    return this.start(session, { to, operationId, subject, importance, displayName, ...NOTHING_MORE });
  }

  async accept(session: Session, id: string): Promise<void> {
    const { application } = session;
    const { supportedMessageFormats: formats } = await this.communications.of(session);
    await this.answer(application.id, id, (conversation) => accept(conversation, application.id, formats, Date.now()));
  }

  async decline({ application }: Session, id: string, reason: Decline): Promise<void> {
    await this.answer(application.id, id, (conversation) => decline(conversation, application.id, reason, Date.now()));
  }

  /** A new id, or that of the pending invitation which the request repeats (web-interface.md, section 14). */
  private async reserve(application: string, operation: Operation | undefined, threadId: string): Promise<string> {
    let settled: string | undefined;
    for (;;) {
      const id = await this.reserveOne(application, { operation, threadId, settled });
      const known = (await this.store.read(id))?.conversation;
      if (known === undefined || known.phase === 'ringing') return id;
      settled = id;
    }
  }

  /** Throws {@link InterfaceError} `LimitExceeded` when this person, or the guests of this meeting, invite too often. */
  private async admit({ application, owner, guestOf }: Session, id: string): Promise<void> {
    try {
      if (guestOf !== undefined) await this.guests.admit(guestOf, id);
      else if (!(await this.allowances.admit(owner.username)))
        throw new InterfaceError(messagingReasons.invitesTooOften);
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
    await this.lookup.find(application, id);
    const step = await this.steps.change(id, make);
    if (step === undefined || step === 'over') throw new InterfaceError(messagingReasons.invitationOver);
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
