import { Inject, Injectable } from '@nestjs/common';
import { PeriodicTask } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import { Applications } from '../sessions/applications.js';
import type { Application } from '../sessions/application.js';
import { Sessions } from '../sessions/sessions.js';
import { channelKey } from '../events/channel-key.js';
import { lastUse } from '../events/channel.js';
import { EventChannels } from '../events/event-channels.js';
import { SETTINGS, type Settings } from '../settings.js';
import type { AvailableClient, PresenceRecord } from '../presence-store/presence-record.js';
import { Presences } from './presences.js';
import { PresenceStore } from '../presence-store/presence-store.js';

/**
 * Ends the applications of clients that have disconnected without a request, so that their users are not shown as
 * available forever (web-interface.md, section 3). Only available ones: the others are not visible to anyone.
 */
@Injectable()
export class InactiveClients {
  private readonly checking: PeriodicTask;

  /** A client that has polled for events and has not done so for this long is gone, milliseconds. */
  private readonly gapMs: number;
  /** A client that never polls, and has not been active for this long, is gone, milliseconds. */
  private readonly inactiveMs: number;

  constructor(
    private readonly store: PresenceStore,
    private readonly presences: Presences,
    private readonly applications: Applications,
    private readonly sessions: Sessions,
    private readonly channels: EventChannels,
    @Inject(SETTINGS) { pollGapSeconds, inactiveSeconds }: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.gapMs = pollGapSeconds * 1000;
    this.inactiveMs = inactiveSeconds * 1000;
    const periodMs = Math.max(1_000, Math.min(this.gapMs / 4, 30_000));
    this.checking = new PeriodicTask({ periodMs, run: () => this.checkAll() });
  }

  close(): Promise<void> {
    return this.checking.stop();
  }

  private async checkAll(): Promise<void> {
    const { store, logger, gapMs, inactiveMs } = this;
    const before = Date.now() - Math.min(gapMs, inactiveMs);
    for (const record of store.all) {
      if (record.calls.length > 0) continue;
      for (const [id, client] of Object.entries(record.clients)) {
        if (client.activeAt > before) continue;
        await this.check(record, id, client).catch((error: unknown) => {
          logger.warn({ reason: errorReason(error) }, 'could not check an inactive client');
        });
      }
    }
  }

  private async check(record: PresenceRecord, id: string, client: AvailableClient): Promise<void> {
    const { applications, presences, sessions } = this;
    const application = await applications.running(id, record.username);
    if (application === undefined) return presences.leave(record, id);
    for (const instance of application.instances) {
      if (await this.isGone(application, instance, client)) await sessions.expire(application, instance);
    }
  }

  private async isGone({ id }: Application, instance: string | null, { activeAt }: AvailableClient): Promise<boolean> {
    const { channels, gapMs, inactiveMs } = this;
    const now = Date.now();
    const usedAt = lastUse(await channels.read(channelKey(id, instance)), now);
    return usedAt === undefined ? now - activeAt > inactiveMs : now - usedAt > gapMs;
  }
}
