import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';

/** A subscription of one session to the presence of some people, for a limited time (web-interface.md, section 5). */
export interface PresenceSubscription {
  readonly id: string;
  /** SIP addresses, lower case, each once. */
  readonly uris: readonly string[];
  /** The group whose members they are; null when the client has listed them. */
  readonly groupId: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** True once the client was notified that it ends soon. */
  readonly isEnding: boolean;
}

/** All subscriptions of one user, by the id of the subscribed application; as it is stored. */
export interface WatchList {
  readonly v: 1;
  readonly username: string;
  readonly applications: Readonly<Record<string, readonly PresenceSubscription[]>>;
}

export type WatchListChange = (before: WatchList) => WatchList;

/** How long before its end the client is notified, milliseconds. */
const NOTICE_MS = 60_000;
const MAX_MINUTES = 30;
const MAX_PEOPLE = 1_000;
const MAX_SUBSCRIPTIONS = 100;

const tooMany: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'LimitExceeded',
  message: `A session can be subscribed to ${MAX_PEOPLE} people, in ${MAX_SUBSCRIPTIONS} subscriptions.`,
};

export function newWatchList(username: string): WatchList {
  return { v: 1, username, applications: {} };
}

export function parseWatchList(value: unknown): WatchList {
  if (isWatchList(value)) return value;
  throw new Error('stored subscriptions have an unknown format');
}

function isWatchList(value: unknown): value is WatchList {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1 && 'applications' in value;
}

export function applicationPresenceSubscriptions(
  { applications }: WatchList,
  applicationId: string,
): readonly PresenceSubscription[] {
  return applications[applicationId] ?? [];
}

/** The subscriptions that have not ended. */
export function runningSubscriptions(
  subscriptions: readonly PresenceSubscription[],
  now: number,
): readonly PresenceSubscription[] {
  return subscriptions.filter(({ expiresAt }) => expiresAt > now);
}

/** The people that these subscriptions include, each once. */
export function peopleIn(subscriptions: readonly PresenceSubscription[]): readonly string[] {
  return [...new Set(subscriptions.flatMap(({ uris }) => uris))];
}

/** Replaces a subscription with the same id. Throws {@link InterfaceError} `LimitExceeded`. */
export function subscribe(applicationId: string, subscription: PresenceSubscription): WatchListChange {
  return changing(applicationId, (before) => {
    const after = [...before.filter(({ id }) => id !== subscription.id), subscription];
    if (peopleIn(after).length > MAX_PEOPLE || after.length > MAX_SUBSCRIPTIONS) throw new InterfaceError(tooMany);
    return after;
  });
}

/** Adds minutes to the remaining time, up to half an hour. */
export function extend(applicationId: string, id: string, minutes: number, now: number): WatchListChange {
  const latest = now + MAX_MINUTES * 60_000;
  return changingOne(applicationId, id, (before) => ({
    ...before,
    expiresAt: Math.min(before.expiresAt + minutes * 60_000, latest),
    isEnding: false,
  }));
}

export function addPeople(applicationId: string, id: string, uris: readonly string[]): WatchListChange {
  return (before) => {
    const known = applicationPresenceSubscriptions(before, applicationId).find((each) => each.id === id);
    if (known === undefined) return before;
    return subscribe(applicationId, { ...known, uris: [...new Set([...known.uris, ...uris])] })(before);
  };
}

export function removePerson(applicationId: string, id: string, uri: string): WatchListChange {
  return changingOne(applicationId, id, (before) => ({ ...before, uris: before.uris.filter((each) => each !== uri) }));
}

export function unsubscribe(applicationId: string, id: string): WatchListChange {
  return changing(applicationId, (before) => before.filter((each) => each.id !== id));
}

export function endApplication(applicationId: string): WatchListChange {
  return changing(applicationId, () => []);
}

/** Updates subscriptions to groups; those to removed groups end. */
export function regroup(membersOf: (groupId: string) => readonly string[] | undefined): WatchListChange {
  return changingAll((before) =>
    before.flatMap((each) => {
      if (each.groupId === null) return each;
      const uris = membersOf(each.groupId);
      return uris === undefined ? [] : { ...each, uris };
    }),
  );
}

/** Ends expired subscriptions and marks those that end soon. Asked each second of all lists, so it looks only at the times. */
export function expireSubscriptions(now: number): WatchListChange {
  const endsSoon = ({ isEnding, expiresAt }: PresenceSubscription): boolean =>
    !isEnding && expiresAt - NOTICE_MS <= now;
  return changingAll((before) =>
    before.some((each) => each.expiresAt <= now || endsSoon(each))
      ? runningSubscriptions(before, now).map((each) => (endsSoon(each) ? { ...each, isEnding: true } : each))
      : before,
  );
}

type Change = (before: readonly PresenceSubscription[]) => readonly PresenceSubscription[];

function changing(applicationId: string, change: Change): WatchListChange {
  return (before) => {
    const { [applicationId]: own = [], ...others } = before.applications;
    const after = change(own);
    if (own === after || isSame(own, after)) return before;
    return { ...before, applications: after.length === 0 ? others : { ...others, [applicationId]: after } };
  };
}

function changingAll(change: Change): WatchListChange {
  return (before) => Object.keys(before.applications).reduce((list, id) => changing(id, change)(list), before);
}

function changingOne(
  applicationId: string,
  id: string,
  change: (before: PresenceSubscription) => PresenceSubscription,
): WatchListChange {
  return changing(applicationId, (before) => before.map((each) => (each.id === id ? change(each) : each)));
}

function isSame(one: readonly PresenceSubscription[], other: readonly PresenceSubscription[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
