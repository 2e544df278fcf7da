import { reasonOf } from '@ringdown/bus';
import type { Logger } from '@ringdown/observability';
import type { Applications } from '../applications/applications.js';
import { channelKeysOf } from './channel-key.js';
import type { EventChannels } from './event-channels.js';
import type { SessionEvent } from './session-event.js';

export interface UserEventsOptions {
  readonly applications: Applications;
  readonly channels: EventChannels;
  readonly logger: Logger;
}

/** Tells all sessions of a user the same, whichever replicas they talk to. */
export class UserEvents {
  constructor(private readonly options: UserEventsOptions) {}

  /** Resolves when every session has its events. A session that cannot be told is left to read anew, and the log says so. */
  async tell(username: string, eventsFor: (applicationId: string) => readonly SessionEvent[]): Promise<void> {
    const { applications, channels, logger } = this.options;
    try {
      const sessions = await applications.ofUser(username);
      const tellings = sessions.flatMap((application) => {
        const events = eventsFor(application.id);
        return channelKeysOf(application).map((key) => channels.append(key, events));
      });
      const failed = (await Promise.allSettled(tellings)).filter(({ status }) => status === 'rejected');
      if (failed.length > 0) logger.warn({ sessions: failed.length }, 'sessions could not be told of a change');
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'the sessions of a user could not be told of a change');
    }
  }
}
