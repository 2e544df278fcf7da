import { Injectable } from '@nestjs/common';
import type { Person } from '@ringdown/directory';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import { UserEvents } from '../events/user-events.js';
import { PresenceEvents } from '../presence/presence-events.js';
import { ASPECTS } from '../presence-store/presence-record.js';
import { WatchLists } from '../presence-store/watch-lists.js';
import { Applications } from '../sessions/applications.js';
import { PrivacyResources } from './privacy-resources.js';

/** Notifies both sides of a changed relationship. */
@Injectable()
export class PrivacyEvents {
  constructor(
    private readonly userEvents: UserEvents,
    private readonly applications: Applications,
    private readonly channels: EventChannels,
    private readonly watchLists: WatchLists,
    private readonly presence: PresenceEvents,
    private readonly resources: PrivacyResources,
  ) {}

  /** The other person only gets the events after which clients read a presence again. */
  async send(owner: Person, other: Person): Promise<void> {
    await this.userEvents.send(owner.username, (id) => {
      const { rel, href } = this.resources.contactLink(id, other.sipAddress);
      const contact = { rel: 'contact', href: this.resources.personHref(id, other.sipAddress) };
      return [{ sender: this.resources.sender(id), type: 'updated', link: { rel, href }, in: contact }];
    });
    const watching = this.watchLists
      .watchersOf(owner.sipAddress, Date.now())
      .filter(({ username }) => username === other.username);
    for (const { username, applicationId } of watching) {
      const application = await this.applications.running(applicationId, username);
      if (application === undefined) continue;
      const events = this.presence.contactChanged(applicationId, owner.sipAddress, ASPECTS);
      for (const key of applicationChannelKeys(application)) await this.channels.append(key, events);
    }
  }
}
