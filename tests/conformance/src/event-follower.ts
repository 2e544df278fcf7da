import { at, json, listAt, textAt } from './answer.js';
import type { Session } from './sign-in.js';
import type { WebClient } from './web-client.js';

export interface FollowedEvent {
  readonly rel: string;
  readonly type: string;
  /** The embedded resource; undefined for an event with only a link. */
  readonly resource: unknown;
  readonly event: unknown;
}

/** Reads the events of a session by following `next`; each event is checked against OpenAPI. */
export class EventFollower {
  /** Everything so far, the oldest first. */
  readonly events: FollowedEvent[] = [];
  private next: string;

  constructor(
    private readonly client: WebClient,
    private readonly session: Pick<Session, 'application' | 'token'>,
  ) {
    this.next = textAt(session.application, '_links', 'events', 'href');
  }

  /** The first matching event; waits until there is one. */
  async until(
    rel: string,
    type: string,
    fits: (followed: FollowedEvent) => boolean = () => true,
  ): Promise<FollowedEvent> {
    for (;;) {
      const found = this.events.find((each) => each.rel === rel && each.type === type && fits(each));
      if (found !== undefined) return found;
      await this.poll();
    }
  }

  /** The resource of an event, checked against OpenAPI. */
  async shown(rel: string, type: string, state?: string): Promise<unknown> {
    const { resource } = await this.until(
      rel,
      type,
      (each) => state === undefined || at(each.resource, 'state') === state,
    );
    const name = SCHEMAS[rel] ?? '';
    this.client.contract.checkValue(name, resource);
    return resource;
  }

  private async poll(): Promise<void> {
    const answer = json(await this.client.call('pollEvents', { url: this.next, token: this.session.token }));
    this.next = textAt(answer, '_links', 'next', 'href');
    for (const sender of listAt(answer, 'sender')) {
      for (const event of listAt(sender, 'events')) {
        const rel = textAt(event, 'link', 'rel');
        this.events.push({ rel, type: textAt(event, 'type'), resource: at(event, '_embedded', rel), event });
      }
    }
  }
}

const SCHEMAS: Readonly<Record<string, string>> = {
  conversation: 'Conversation',
  localParticipant: 'Participant',
  message: 'Message',
  messaging: 'Messaging',
  messagingInvitation: 'MessagingInvitation',
};
