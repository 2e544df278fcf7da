import { Injectable } from '@nestjs/common';
import type { People } from '@ringdown/directory';
import { LinkBuilder, pathSegment, queryString, type Link, type Resource } from '@ringdown/hypermedia';
import { peopleIn, type PresenceSubscription } from '../presence-store/watch-list.js';

/** The resources of subscriptions to presence (web-interface.md, section 5). */
@Injectable()
export class SubscriptionResources {
  constructor(private readonly links: LinkBuilder) {}

  presenceSubscriptions(id: string, subscriptions: readonly PresenceSubscription[]): Resource {
    const resources = subscriptions.map((each) => this.presenceSubscription(id, each));
    return {
      rel: 'presenceSubscriptions',
      href: this.subscriptionHref(id),
      embedded: [{ rel: 'presenceSubscription', many: true, resources }],
    };
  }

  /** The members of a group are changed in the group, so none can be added here. */
  presenceSubscription(id: string, { id: subscriptionId, groupId }: PresenceSubscription): Resource {
    const memberships = this.membershipHref(id) + queryString({ presenceSubscriptionId: subscriptionId });
    const links: Link[] = [{ rel: 'memberships', href: memberships }];
    if (groupId === null) links.push({ rel: 'addToPresenceSubscription', href: memberships });
    const href = this.subscriptionHref(id, subscriptionId);
    return { rel: 'presenceSubscription', href, links, properties: { id: subscriptionId } };
  }

  /** The memberships of one subscription, or of all. */
  memberships(id: string, subscriptions: readonly PresenceSubscription[], presenceSubscriptionId?: string): Resource {
    const resources = subscriptions.flatMap((each) => each.uris.map((uri) => this.membership(id, each.id, uri)));
    return {
      rel: 'presenceSubscriptionMemberships',
      href: this.membershipHref(id) + queryString({ presenceSubscriptionId }),
      embedded: [{ rel: 'presenceSubscriptionMembership', many: true, resources }],
    };
  }

  membership(id: string, subscriptionId: string, sipAddress: string): Resource {
    return {
      rel: 'presenceSubscriptionMembership',
      href: this.membershipHref(id, subscriptionId, subscribedAddress(sipAddress)),
      links: [
        { rel: 'contact', href: this.contactHref(id, sipAddress) },
        { rel: 'presenceSubscription', href: this.subscriptionHref(id, subscriptionId) },
      ],
    };
  }

  /** Only links. */
  subscribedContacts(id: string, subscriptions: readonly PresenceSubscription[], people: People): Resource {
    const links = peopleIn(subscriptions).map((uri): Link => {
      const name = people.withSipAddress(uri)?.name;
      const link = { rel: 'contact', href: this.contactHref(id, uri), many: true };
      return name === undefined ? link : { ...link, title: name };
    });
    return { rel: 'subscribedContacts', href: this.subscribedContactsHref(id), links };
  }

  /** The links that the `people` resource shows. */
  dashboardLinks(id: string): Link[] {
    return [
      { rel: 'presenceSubscriptions', href: this.subscriptionHref(id) },
      { rel: 'subscribedContacts', href: this.subscribedContactsHref(id) },
      { rel: 'presenceSubscriptionMemberships', href: this.membershipHref(id) },
    ];
  }

  /** Clients append to its query, so it always has one. */
  groupLink(id: string, groupId: string): Link {
    return { rel: 'subscribeToGroupPresence', href: this.subscriptionHref(id) + queryString({ groupId }) };
  }

  /** The URL of one subscription, or of all. */
  subscriptionHref(id: string, ...subscriptionId: readonly string[]): string {
    return this.links.application(id, 'people', 'presenceSubscriptions', ...subscriptionId);
  }

  subscribedContactsHref(id: string): string {
    return this.links.application(id, 'people', 'subscribedContacts');
  }

  contactHref(id: string, sipAddress: string): string {
    return this.links.application(id, 'people', subscribedAddress(sipAddress));
  }

  /** How the URL of a contact names the person. */
  nameInPath(sipAddress: string): string {
    return pathSegment(subscribedAddress(sipAddress));
  }

  peopleHref(id: string): string {
    return this.links.application(id, 'people');
  }

  private membershipHref(id: string, ...membership: readonly string[]): string {
    return this.links.application(id, 'people', 'presenceSubscriptionMemberships', ...membership);
  }
}

function subscribedAddress(sipAddress: string): string {
  return sipAddress.replace(/^sip:/, '');
}
