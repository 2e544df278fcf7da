import type { Applications } from '../applications/applications.js';
import { channelKeysOf } from '../events/channel-key.js';
import type { EventChannels } from '../events/event-channels.js';
import type { PresenceEvents } from './presence-events.js';
import type { Aspect, PresenceRecord } from './presence-record.js';

export interface PresenceNewsOptions {
  readonly applications: Applications;
  readonly channels: EventChannels;
  readonly events: PresenceEvents;
}

/** Brings changes of somebody's presence into the event channels of those whom they concern. */
export class PresenceNews {
  constructor(private readonly options: PresenceNewsOptions) {}

  /** Rejects when somebody could not be told. */
  async tell(record: PresenceRecord, aspects: readonly Aspect[]): Promise<void> {
    const { applications, channels, events } = this.options;
    for (const application of await applications.ofUser(record.username)) {
      const client = record.clients[application.id];
      if (client === undefined) continue;
      const isNew = client.since > record.told;
      const own = isNew ? events.available(application.id) : events.ownChanged(application.id, aspects);
      if (own.length === 0) continue;
      for (const key of channelKeysOf(application)) await channels.append(key, own);
    }
  }
}
