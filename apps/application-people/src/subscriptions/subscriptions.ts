import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import { Applications } from '../sessions/applications.js';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import { SubscriptionEvents } from './subscription-events.js';
import {
  expireSubscriptions,
  regroup,
  runningSubscriptions,
  applicationPresenceSubscriptions,
  type PresenceSubscription,
  type WatchListChange,
} from '../presence-store/watch-list.js';
import { WatchLists } from '../presence-store/watch-lists.js';

const TICK_MS = 1_000;

/**
 * The subscriptions of all sessions as this replica serves them; whichever replica is first writes that one has ended.
 */
@Injectable()
export class Subscriptions {
  private readonly ticking = new PeriodicTask({ periodMs: TICK_MS, run: () => this.tick() });

  constructor(
    private readonly lists: WatchLists,
    private readonly applications: Applications,
    private readonly channels: EventChannels,
    private readonly events: SubscriptionEvents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The subscriptions of one session that have not ended. */
  async of(username: string, applicationId: string): Promise<readonly PresenceSubscription[]> {
    return runningSubscriptions(
      applicationPresenceSubscriptions(await this.lists.read(username), applicationId),
      Date.now(),
    );
  }

  /** Changes subscriptions and notifies the sessions that have them; if `change` throws, everything stays as it was. */
  async change(username: string, change: WatchListChange): Promise<void> {
    const { lists, applications, channels, events } = this;
    const { before, after } = await lists.change(username, change);
    if (before === after) return;
    for (const id of new Set([before, after].flatMap((list) => Object.keys(list.applications)))) {
      const newEvents = events.between(
        id,
        applicationPresenceSubscriptions(before, id),
        applicationPresenceSubscriptions(after, id),
      );
      const application = newEvents.length === 0 ? undefined : await applications.running(id, username);
      if (application === undefined) continue;
      for (const key of applicationChannelKeys(application)) await channels.append(key, newEvents);
    }
  }

  /**
   * Updates subscriptions after a user has changed their groups. The change of the groups stays made even if this
   * fails.
   */
  async followGroups(username: string, membersOf: (groupId: string) => readonly string[] | undefined): Promise<void> {
    await this.change(username, regroup(membersOf)).catch((error: unknown) => {
      this.logger.warn({ reason: errorReason(error) }, 'could not update subscriptions to a changed group');
    });
  }

  close(): Promise<void> {
    return this.ticking.stop();
  }

  private async tick(): Promise<void> {
    const change = expireSubscriptions(Date.now());
    for (const list of this.lists.all) {
      if (change(list) === list) continue;
      await this.change(list.username, change).catch((error: unknown) => {
        this.logger.warn({ reason: errorReason(error) }, 'could not end subscriptions; retrying');
      });
    }
  }
}
