import { UnexpectedAnswer } from './errors.js';
import {
  readConversation,
  readConversationLinks,
  readMessaging,
  readParticipant,
  type Conversation,
  type IncomingInvitation,
  type Messaging,
  type Participant,
} from './messaging-resources.js';
import type { Requests } from './requests.js';

export interface NewInvitation {
  /** SIP address of the person. */
  readonly to: string;
  /** The first message. */
  readonly text: string;
  /** The client's id of this request: the same id again is the same invitation. At most 50 characters. */
  readonly operationId: string;
}

/** What this needs of an application. */
export interface MessagingApplication {
  readonly resource: { readonly communication: { readonly startMessaging: string; readonly conversations: string } };
  readonly requests: Requests;
}

export interface NewMessage {
  readonly text: string;
  /** As in an invitation. */
  readonly operationId: string;
}

/** Conversations and messages (web-interface.md, section 8). Events report the results. */
export class MessagesClient {
  constructor(
    private readonly application: MessagingApplication,
    /** The name of a guest; people have theirs in the directory. */
    private readonly guestName?: string,
  ) {}

  /** Returns the address of the invitation. */
  async invite({ to, text, operationId }: NewInvitation): Promise<string> {
    const message = { href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}` };
    const guest = this.guestName === undefined ? {} : { anonymousDisplayName: this.guestName };
    const body = { to, operationId, _links: { message }, ...guest };
    return located(await this.requests.notify(this.application.resource.communication.startMessaging, { body }));
  }

  async accept({ answers }: IncomingInvitation): Promise<void> {
    if (answers !== undefined) await this.requests.notify(answers.accept);
  }

  /** Declines for all clients of the user. */
  async decline({ answers }: IncomingInvitation): Promise<void> {
    if (answers !== undefined) await this.requests.notify(answers.decline, { body: { reason: 'Global' } }); // not shown: sent to the server
  }

  /** Returns the address of the message. The event `message completed` reports its delivery. */
  async send(messaging: Messaging, { text, operationId }: NewMessage): Promise<string> {
    const href = needed(messaging.links.send, 'cannot be written to now'); // not shown: part of an error for developers
    return located(await this.requests.notify(href, { text, query: { operationId } }));
  }

  /** The other person sees it for ten seconds. */
  async typing({ links }: Messaging): Promise<void> {
    if (links.typing !== undefined) await this.requests.notify(links.typing);
  }

  /** Ends the conversation for both, or withdraws the invitation. */
  async stop({ links }: Messaging): Promise<void> {
    if (links.stop !== undefined) await this.requests.notify(links.stop);
  }

  /** The open conversations. */
  async conversations(): Promise<readonly Conversation[]> {
    const list = await this.requests.get(this.application.resource.communication.conversations);
    return Promise.all(readConversationLinks(list).map(({ href }) => this.conversation(href)));
  }

  async conversation(href: string): Promise<Conversation> {
    return readConversation(await this.requests.get(href));
  }

  async messaging({ messaging }: Conversation): Promise<Messaging> {
    return readMessaging(await this.requests.get(messaging));
  }

  /** The other participant; undefined before one has joined. */
  async other({ participants }: Conversation): Promise<Participant | undefined> {
    const links = (await this.requests.get(participants)).links('participant');
    const all = await Promise.all(links.map(async ({ href }) => readParticipant(await this.requests.get(href))));
    return all.find(({ isLocal }) => !isLocal);
  }

  private get requests(): Requests {
    return this.application.requests;
  }
}

function located(location: string | undefined): string {
  return needed(location, 'was not answered with an address'); // not shown: part of an error for developers
}

function needed(href: string | undefined, what: string): string {
  if (href === undefined) throw new UnexpectedAnswer(`the conversation ${what}`);
  return href;
}
