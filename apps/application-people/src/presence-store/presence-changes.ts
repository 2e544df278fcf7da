import { shownPresence, type PresenceRules } from './availability.js';
import type { Aspect, AvailableClient, Note, Preferred, PresenceRecord } from './presence-record.js';
import { ASPECTS } from './presence-record.js';

/** Computes the next state of a person's presence from the previous one. */
export type PresenceChange = (before: PresenceRecord) => PresenceRecord;

export function makeAvailable(
  applicationId: string,
  client: Omit<AvailableClient, 'since'>,
  signInAs: Preferred | undefined,
): PresenceChange {
  return (before) => ({
    ...before,
    clients: { ...before.clients, [applicationId]: { ...client, since: before.version + 1 } },
    preferred: signInAs ?? before.preferred,
    activeAt: client.activeAt,
  });
}

/**
 * What a person has chosen is reset with their last client: after the next sign-in they are online unless they choose
 * otherwise.
 */
export function leave(applicationId: string): PresenceChange {
  return (before) => {
    const { [applicationId]: left, ...clients } = before.clients;
    if (left === undefined) return before;
    return { ...before, clients, preferred: Object.keys(clients).length === 0 ? null : before.preferred };
  };
}

/** Every change that a user makes to their own presence also counts as activity. */
export function act(applicationId: string, now: number, own: OwnChange = {}): PresenceChange {
  return (before) => {
    const client = before.clients[applicationId];
    if (client === undefined) return before;
    const clients = { ...before.clients, [applicationId]: { ...client, activeAt: now } };
    return { ...before, ...own, clients, activeAt: now };
  };
}

export interface OwnChange {
  readonly preferred?: Preferred | null;
  readonly note?: Note | null;
  readonly location?: string | null;
}

export function inCalls(calls: readonly string[]): PresenceChange {
  return (before) => (sameJson(before.calls, calls) ? before : { ...before, calls });
}

/** The change, together with what watchers see of it: returns the same record when nothing changes. */
export function applied(change: PresenceChange, now: number, rules: PresenceRules): PresenceChange {
  return (before) => {
    const after = change(before);
    const shown = shownPresence(after, now, rules);
    const next = { ...after, shown };
    const aspects = ASPECTS.filter((aspect) => !sameJson(aspectValue(before, aspect), aspectValue(next, aspect)));
    const joined = Object.values(next.clients).some(({ since }) => since > before.version);
    if (aspects.length === 0 && !joined) return after === before ? before : next;
    const version = before.version + 1;
    const changed = { ...before.changed, ...Object.fromEntries(aspects.map((aspect) => [aspect, version])) };
    return { ...next, version, changed, tellingSince: now };
  };
}

/** Aspects that watchers were not notified of yet. */
export function pendingAspects({ changed, told }: PresenceRecord): readonly Aspect[] {
  return ASPECTS.filter((aspect) => (changed[aspect] ?? 0) > told);
}

export function markNotified(version: number): PresenceChange {
  return (before) => (before.told >= version ? before : { ...before, told: version });
}

/** What the clients of a person can do together. */
export function clientModalities({ clients }: PresenceRecord): readonly string[] {
  return [...new Set(Object.values(clients).flatMap(({ modalities }) => modalities))].toSorted();
}

function aspectValue(record: PresenceRecord, aspect: Aspect): unknown {
  switch (aspect) {
    case 'presence':
      return record.shown;
    case 'modalities':
      return clientModalities(record);
    default:
      return record[aspect];
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
