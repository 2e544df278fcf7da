import { KeyedMutex, PeriodicTask } from '@ringdown/concurrency';
import { isBefore, type Rename } from '@ringdown/directory/stored';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { shownPresence, type PresenceRules } from '../presence-store/availability.js';
import {
  act,
  applied,
  leave,
  makeAvailable,
  markNotified,
  pendingAspects,
  type OwnChange,
  type PresenceChange,
} from '../presence-store/presence-changes.js';
import type {
  Aspect,
  AvailableClient,
  Preferred,
  Presence,
  PresenceRecord,
} from '../presence-store/presence-record.js';
import type { PresenceOwner, PresenceStore } from '../presence-store/presence-store.js';

/**
 * Notifies all sessions concerned that these aspects of a person's presence have changed. Rejects when that is not
 * certain.
 */
export type NotifySessions = (record: PresenceRecord, aspects: readonly Aspect[]) => Promise<void>;

export interface PresencesOptions {
  readonly store: PresenceStore;
  readonly rules: PresenceRules;
  readonly notifySessions: NotifySessions;
  readonly logger: Logger;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

const TICK_MS = 1_000;
/** A replica that has started to notify watchers and has not finished by then is assumed to have crashed. */
const NOTIFY_RETRY_MS = 10_000;

/**
 * The presence of people as this replica serves it. It is only in the store; changes by timeout (idle, away) are
 * written by whichever replica is first, and that replica notifies watchers.
 */
export class Presences {
  private readonly now: () => number;
  private readonly ticking: PeriodicTask;
  private readonly mutex = new KeyedMutex();
  private readonly notifying = new Set<Promise<void>>();

  constructor(private readonly options: PresencesOptions) {
    this.now = options.now ?? Date.now;
    this.ticking = new PeriodicTask({ periodMs: TICK_MS, run: () => this.tick() });
  }

  read(owner: PresenceOwner): Promise<PresenceRecord> {
    return this.options.store.read(owner);
  }

  /** The presence as others see it now. */
  shownOf(record: PresenceRecord): Presence {
    return shownPresence(record, this.now(), this.options.rules);
  }

  /** False when the application is available already. */
  async makeAvailable(
    owner: PresenceOwner,
    applicationId: string,
    client: Omit<AvailableClient, 'activeAt' | 'since'>,
    signInAs: Preferred | undefined,
  ): Promise<boolean> {
    let isNew = false;
    await this.change(owner, (before) => {
      isNew = !(applicationId in before.clients);
      const active = { ...client, activeAt: this.now() };
      return isNew ? makeAvailable(applicationId, active, signInAs)(before) : before;
    });
    return isNew;
  }

  /** False when the application is not available. */
  async act(owner: PresenceOwner, applicationId: string, own?: OwnChange): Promise<boolean> {
    const { clients } = await this.change(owner, act(applicationId, this.now(), own));
    return applicationId in clients;
  }

  async leave(owner: PresenceOwner, applicationId: string): Promise<void> {
    await this.change(owner, leave(applicationId));
  }

  /** What a person has set stays with that person after a rename; the sessions of the old name have ended. */
  async move(rename: Rename): Promise<void> {
    const { from, to } = rename;
    if (from.sipAddress === to.sipAddress) {
      const renamed: PresenceChange = (before) =>
        before.version === 0 || before.username === to.username ? before : { ...before, username: to.username };
      return void (await this.change(to, renamed));
    }
    const old = await this.read(from);
    const { note, location, activeAt } = old;
    // Sessions go on if only the address has changed.
    const { clients, preferred } = from.username === to.username ? old : NOTHING;
    if (isEmpty(old) || !isBefore(rename, lastOwnChange(old))) return;
    await this.change(to, (before) => ({
      ...before,
      clients: { ...clients, ...before.clients },
      preferred: before.preferred ?? preferred,
      note: before.note ?? note,
      location: before.location ?? location,
      activeAt: before.activeAt ?? activeAt,
      // Not what an earlier owner of the address has left, when removals and renames are looked through again.
      movedAt: this.now(),
    }));
    await this.change(from, (before) => ({ ...before, ...NOTHING }));
  }

  /** What a removed person had set before this time. */
  async delete(owner: PresenceOwner, before: number): Promise<void> {
    const record = await this.read(owner);
    if (isEmpty(record) || lastOwnChange(record) >= before) return;
    await this.change(owner, (found) => (lastOwnChange(found) < before ? { ...found, ...NOTHING } : found));
  }

  /** Resolves with the result when it is stored; watchers are notified a moment later. */
  async change(owner: PresenceOwner, change: PresenceChange): Promise<PresenceRecord> {
    const { store, rules } = this.options;
    const { before, after } = await store.change(owner, applied(change, this.now(), rules));
    if (after !== before && after.version > after.told) this.notify(owner);
    return after;
  }

  /** Notifications in progress are completed first. */
  async close(): Promise<void> {
    await this.ticking.stop();
    await Promise.all(this.notifying);
  }

  /** One after another for each person; changes in between are sent together. */
  private notify(owner: PresenceOwner): void {
    const notifying = this.mutex.runExclusive(owner.sipAddress, () => this.notifyNow(owner));
    this.notifying.add(notifying);
    void notifying.finally(() => this.notifying.delete(notifying));
  }

  private async notifyNow(owner: PresenceOwner): Promise<void> {
    const { store, notifySessions, logger } = this.options;
    try {
      const record = await store.read(owner);
      if (record.told >= record.version) return;
      await store.waitForUpdate(record);
      await notifySessions(record, pendingAspects(record));
      await store.change(owner, markNotified(record.version));
    } catch (error) {
      logger.warn({ reason: errorReason(error) }, 'could not notify sessions of a presence; retrying');
    }
  }

  private async tick(): Promise<void> {
    const now = this.now();
    for (const record of this.options.store.all) {
      try {
        if (!sameShown(record.shown, shownPresence(record, now, this.options.rules)))
          await this.change(record, (before) => before);
        if (record.version > record.told && record.tellingSince + NOTIFY_RETRY_MS < now) await this.notifyAgain(record);
      } catch (error) {
        this.options.logger.warn({ reason: errorReason(error) }, 'could not update a presence');
      }
    }
  }

  /** Only the replica that is first to write that it takes over notifies again. */
  private async notifyAgain({ sipAddress, username, tellingSince }: PresenceRecord): Promise<void> {
    const owner = { sipAddress, username };
    const { before: old, after } = await this.options.store.change(owner, (before) =>
      before.version > before.told && before.tellingSince === tellingSince
        ? { ...before, tellingSince: this.now() }
        : before,
    );
    if (after !== old) this.notify(owner);
  }
}

const NOTHING = { clients: {}, preferred: null, note: null, location: null, activeAt: null, calls: [] };

function sameShown(one: Presence, other: Presence): boolean {
  return one.availability === other.availability && one.activity === other.activity && one.device === other.device;
}

/** Everything else that changes a record (times, calls, notifications) happens without its person. */
function lastOwnChange({ activeAt, movedAt = 0 }: PresenceRecord): number {
  return Math.max(activeAt ?? 0, movedAt);
}

function isEmpty({ note, location, activeAt, clients }: PresenceRecord): boolean {
  return note === null && location === null && activeAt === null && Object.keys(clients).length === 0;
}
