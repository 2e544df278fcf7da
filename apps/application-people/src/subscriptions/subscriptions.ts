import { reasonOf } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import type { Applications } from '../applications/applications.js';
import { channelKeysOf } from '../events/channel-key.js';
import type { EventChannels } from '../events/event-channels.js';
import type { SubscriptionEvents } from './subscription-events.js';
import { aged, regroup, running, subscriptionsOf, type Subscription, type WatchListChange } from './watch-list.js';
import type { WatchLists } from './watch-lists.js';

export interface SubscriptionsOptions {
  readonly lists: WatchLists;
  readonly applications: Applications;
  readonly channels: EventChannels;
  readonly events: SubscriptionEvents;
  readonly logger: Logger;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

const TICK_MS = 1_000;

/** The subscriptions of all sessions as this replica serves them; their ends are written by whichever replica is first. */
export class Subscriptions {
  private readonly now: () => number;
  private readonly ticker: NodeJS.Timeout;
  private ticking: Promise<void> | undefined;

  constructor(private readonly options: SubscriptionsOptions) {
    this.now = options.now ?? Date.now;
    this.ticker = setInterval(() => {
      this.ticking ??= this.tick().finally(() => (this.ticking = undefined));
    }, TICK_MS).unref();
  }

  /** Those of one session that have not ended. */
  async of(username: string, applicationId: string): Promise<readonly Subscription[]> {
    return running(subscriptionsOf(await this.options.lists.read(username), applicationId), this.now());
  }

  /** Changes subscriptions and tells the sessions that have them; what `change` throws leaves all as it was. */
  async change(username: string, change: WatchListChange): Promise<void> {
    const { lists, applications, channels, events } = this.options;
    const { before, after } = await lists.change(username, change);
    if (before === after) return;
    for (const id of new Set([before, after].flatMap((list) => Object.keys(list.applications)))) {
      const news = events.between(id, subscriptionsOf(before, id), subscriptionsOf(after, id));
      const application = news.length === 0 ? undefined : await applications.running(id, username);
      if (application === undefined) continue;
      for (const key of channelKeysOf(application)) await channels.append(key, news);
    }
  }

  /** Follows the groups of a user, who has changed them. The change itself is made, whatever becomes of this. */
  async followGroups(username: string, membersOf: (groupId: string) => readonly string[] | undefined): Promise<void> {
    await this.change(username, regroup(membersOf)).catch((error: unknown) => {
      this.options.logger.warn({ reason: reasonOf(error) }, 'subscriptions do not follow a changed group');
    });
  }

  async close(): Promise<void> {
    clearInterval(this.ticker);
    await this.ticking;
  }

  private async tick(): Promise<void> {
    const change = aged(this.now());
    for (const list of this.options.lists.all) {
      if (change(list) === list) continue;
      await this.change(list.username, change).catch((error: unknown) => {
        this.options.logger.warn({ reason: reasonOf(error) }, 'subscriptions could not be ended; trying again');
      });
    }
  }
}
