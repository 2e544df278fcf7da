import { Injectable } from '@nestjs/common';
import { EACH_PERSON, forEachPerson } from '../events/people-event.js';
import type { SessionEvent } from '../events/session-event.js';
import { PresenceEvents } from '../presence/presence-events.js';
import { SubscriptionResources } from './subscription-resources.js';
import { peopleIn, type PresenceSubscription } from '../presence-store/watch-list.js';

/** The events that a session receives about its subscriptions and the people in them (web-interface.md, section 5). */
@Injectable()
export class SubscriptionEvents {
  constructor(
    private readonly resources: SubscriptionResources,
    private readonly presence: PresenceEvents,
  ) {}

  /** All events for the change from one state of a session's subscriptions to another. */
  between(id: string, before: readonly PresenceSubscription[], after: readonly PresenceSubscription[]): SessionEvent[] {
    const [had, has] = [peopleIn(before), peopleIn(after)];
    const added = has.filter((uri) => !had.includes(uri)).map((uri) => this.resources.nameInPath(uri));
    const removed = had.filter((uri) => !has.includes(uri)).map((uri) => this.resources.nameInPath(uri));
    return [
      ...forEachPerson(this.subscribedContact(id, 'added'), added),
      ...this.subscriptions(id, before, after),
      ...this.presence.contactChanged(id, EACH_PERSON, ['presence']).flatMap((event) => forEachPerson(event, added)),
      ...forEachPerson(this.subscribedContact(id, 'deleted'), removed),
    ];
  }

  private subscriptions(
    id: string,
    before: readonly PresenceSubscription[],
    after: readonly PresenceSubscription[],
  ): readonly SessionEvent[] {
    const event = (subscription: PresenceSubscription, type: SessionEvent['type']): SessionEvent => ({
      sender: this.sender(id),
      type,
      link: { rel: 'presenceSubscription', href: this.resources.subscriptionHref(id, subscription.id) },
    });
    const gone = before.filter((each) => !after.some((other) => other.id === each.id));
    const there = after.flatMap((each) => {
      const known = before.find((other) => other.id === each.id);
      if (known === undefined) return event(each, 'added');
      return known.expiresAt === each.expiresAt && known.isEnding === each.isEnding ? [] : event(each, 'updated');
    });
    return [...there, ...gone.map((each) => event(each, 'deleted'))];
  }

  private subscribedContact(id: string, type: SessionEvent['type']): SessionEvent {
    return {
      sender: this.sender(id),
      type,
      link: { rel: 'contact', href: this.resources.contactHref(id, EACH_PERSON) },
      in: { rel: 'subscribedContacts', href: this.resources.subscribedContactsHref(id) },
    };
  }

  private sender(id: string): SessionEvent['sender'] {
    return { rel: 'people', href: this.resources.peopleHref(id) };
  }
}
