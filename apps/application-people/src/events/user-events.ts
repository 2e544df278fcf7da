import { Inject, Injectable } from '@nestjs/common';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import { Applications } from '../sessions/applications.js';
import { applicationChannelKeys } from './channel-key.js';
import { EventChannels } from './event-channels.js';
import type { SessionEvent } from './session-event.js';

/** Returns the events for one application; none when it is not to be notified. */
type EventsFor = (applicationId: string) => readonly SessionEvent[] | Promise<readonly SessionEvent[]>;

/** Sends the same events to all sessions of a user, whichever replicas they are connected to. */
@Injectable()
export class UserEvents {
  constructor(
    private readonly applications: Applications,
    private readonly channels: EventChannels,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when every session has its events. When a session cannot be reached, this is logged, and it has to read
   * again.
   */
  async send(username: string, eventsFor: EventsFor): Promise<void> {
    const { applications, channels, logger } = this;
    try {
      const sessions = await applications.ofUser(username);
      const appends = sessions.map(async (application) => {
        const events = await eventsFor(application.id);
        if (events.length === 0) return;
        await Promise.all(applicationChannelKeys(application).map((key) => channels.append(key, events)));
      });
      const failed = (await Promise.allSettled(appends)).filter(({ status }) => status === 'rejected');
      if (failed.length > 0) logger.warn({ sessions: failed.length }, 'could not notify sessions of a change');
    } catch (error) {
      logger.warn({ reason: errorReason(error) }, 'could not notify the sessions of a user of a change');
    }
  }
}
