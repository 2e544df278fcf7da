import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import { Applications } from '../sessions/applications.js';
import { applicationChannelKeys, type ChannelKey } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import type { SessionEvent } from '../events/session-event.js';
import { levelIn, PersonalSettings, type PersonalRecord } from '../personal-settings/personal-settings.js';
import { isVisible } from '../personal-settings/relationship-level.js';
import { WatchLists } from '../presence-store/watch-lists.js';
import { PresenceEvents } from './presence-events.js';
import type { Aspect, PresenceRecord } from '../presence-store/presence-record.js';

interface ChannelEvents {
  readonly key: ChannelKey;
  readonly events: readonly SessionEvent[];
}

/** The number of channels that are written at the same time. */
const CONCURRENT_APPENDS = 32;

/** Appends changes of a person's presence to the event channels of the person and of the subscribers. */
@Injectable()
export class PresenceNotifications {
  constructor(
    private readonly applications: Applications,
    private readonly channels: EventChannels,
    private readonly watchLists: WatchLists,
    private readonly events: PresenceEvents,
    private readonly settings: PersonalSettings,
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects when no session could be notified. One session that cannot be notified does not prevent the others. */
  async send(record: PresenceRecord, aspects: readonly Aspect[]): Promise<void> {
    const deliveries = [...(await this.toOwnSessions(record, aspects)), ...(await this.toWatchers(record, aspects))];
    let failures = 0;
    let failure: unknown;
    for (let start = 0; start < deliveries.length; start += CONCURRENT_APPENDS) {
      const batch = deliveries.slice(start, start + CONCURRENT_APPENDS);
      const outcomes = await Promise.allSettled(batch.map((each) => this.channels.append(each.key, each.events)));
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') continue;
        failures++;
        failure = outcome.reason;
      }
    }
    if (failures === 0) return;
    if (failures === deliveries.length) throw failure;
    this.logger.warn({ failures, reason: errorReason(failure) }, 'could not notify some sessions of a presence');
  }

  private async toOwnSessions(record: PresenceRecord, aspects: readonly Aspect[]): Promise<readonly ChannelEvents[]> {
    const own = await this.applications.ofUser(record.username);
    return own.flatMap((application) => {
      const client = record.clients[application.id];
      if (client === undefined) return [];
      const isNew = client.since > record.told;
      const events = isNew
        ? this.events.available(application.id, client)
        : this.events.ownChanged(application.id, aspects);
      return events.length === 0 ? [] : applicationChannelKeys(application).map((key) => ({ key, events }));
    });
  }

  private async toWatchers(
    { sipAddress, username: owner }: PresenceRecord,
    aspects: readonly Aspect[],
  ): Promise<readonly ChannelEvents[]> {
    const { applications, watchLists } = this;
    const deliveries: ChannelEvents[] = [];
    if (aspects.length === 0) return deliveries;
    const watchers = watchLists.watchersOf(sipAddress, Date.now());
    if (watchers.length === 0) return deliveries;
    const settings = await this.settings.of(owner);
    for (const { username, applicationId } of watchers) {
      const seen = username === owner ? aspects : this.visibleTo(username, aspects, settings);
      const application = seen.length === 0 ? undefined : await applications.running(applicationId, username);
      if (application === undefined) continue;
      const events = this.events.contactChanged(applicationId, sipAddress, seen);
      for (const key of applicationChannelKeys(application)) deliveries.push({ key, events });
    }
    return deliveries;
  }

  /** A person who does not see an aspect is not notified that it has changed either. */
  private visibleTo(username: string, aspects: readonly Aspect[], settings: PersonalRecord): readonly Aspect[] {
    const watcher = this.directory.people.withUsername(username);
    if (watcher === undefined) return [];
    const level = levelIn(settings, watcher.sipAddress);
    return aspects.filter((aspect) => isVisible(aspect, level));
  }
}
