import { ROLES, type PersonEntry, type Role } from '../people/person.js';

/** A change of people, for the log: who, what, whom, from where, with which result. Contains no secrets. */
export interface PeopleAudit {
  readonly action: 'add' | 'change' | 'rename' | 'remove' | 'import' | 'end-sessions';
  /** A username, `command:USER`, `single-sign-on` or `people-file`. */
  readonly by: string;
  /** An IP address, or the machine of a command. */
  readonly from: string;
  /** Usernames; of an import, up to {@link MAX_PEOPLE} in one message. */
  readonly people: readonly string[];
  /** Names of what was changed: `password`, `roles`, `blocked`, `sessions` and others. */
  readonly changed?: readonly string[];
  /** All roles of the person, after a change of them. */
  readonly roles?: readonly Role[];
  /** After a change of it. */
  readonly blocked?: boolean;
  readonly newUsername?: string;
  readonly result: 'done' | 'rejected';
  /** Why it was rejected. */
  readonly reason?: string;
}

export const MAX_PEOPLE = 200;
const MAX_TEXT = 300;
const ACTIONS = ['add', 'change', 'rename', 'remove', 'import', 'end-sessions'] as const;
/** Secrets, and what belongs to a state with a better name. */
const SHOWN_AS = new Map([
  ['passwordHash', 'password'],
  ['signOuts', 'sessions'],
]);

/** What a change has changed, without the secrets; `before` is undefined for a person who is new. */
export function auditedChange(
  before: PersonEntry | undefined,
  after: PersonEntry,
): Pick<PeopleAudit, 'changed' | 'roles' | 'blocked' | 'newUsername'> {
  const [old, now] = [
    new Map<string, unknown>(Object.entries(before ?? {})),
    new Map<string, unknown>(Object.entries(after)),
  ];
  const differs = (key: string): boolean => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key));
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(differs);
  return {
    ...(before === undefined ? {} : { changed: changed.map((key) => SHOWN_AS.get(key) ?? key) }),
    ...(changed.includes('roles') ? { roles: after.roles } : {}),
    ...(changed.includes('blocked') ? { blocked: after.blocked === true } : {}),
    ...(before !== undefined && changed.includes('username') ? { newUsername: after.username } : {}),
  };
}

type Difference = Omit<PeopleAudit, 'by' | 'from' | 'result' | 'reason'>;

/** What has changed between two states of a people file; of more than {@link MAX_PEOPLE} people, only who they are. */
export function auditedDifferences(
  before: readonly PersonEntry[],
  after: readonly PersonEntry[],
): readonly Difference[] {
  const [old, now] = [
    new Map(before.map((entry) => [entry.username, entry])),
    new Map(after.map((entry) => [entry.username, entry])),
  ];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (username) => JSON.stringify(old.get(username)) !== JSON.stringify(now.get(username)),
  );
  if (changed.length <= MAX_PEOPLE) return changed.map((username) => difference(username, old, now));
  return Array.from({ length: Math.ceil(changed.length / MAX_PEOPLE) }, (_, n) => ({
    action: 'import',
    people: changed.slice(n * MAX_PEOPLE, (n + 1) * MAX_PEOPLE),
  }));
}

function difference(
  username: string,
  old: ReadonlyMap<string, PersonEntry>,
  now: ReadonlyMap<string, PersonEntry>,
): Difference {
  const [before, after] = [old.get(username), now.get(username)];
  if (after === undefined) return { action: 'remove', people: [username] };
  return {
    action: before === undefined ? 'add' : 'change',
    people: [username],
    ...auditedChange(before, after),
  };
}

/** From a message of the bus; undefined for another message. */
export function parsePeopleAudit(message: unknown): PeopleAudit | undefined {
  const { action: given, by, from, people, changed, roles, blocked, newUsername, result, reason } = Object(message);
  const action = ACTIONS.find((each) => each === given);
  if (action === undefined || !isText(by) || !isText(from) || !areTexts(people)) return undefined;
  return {
    action,
    by,
    from,
    people,
    ...(areTexts(changed) ? { changed } : {}),
    ...(Array.isArray(roles) ? { roles: ROLES.filter((role) => roles.includes(role)) } : {}),
    ...(typeof blocked === 'boolean' ? { blocked } : {}),
    ...(isText(newUsername) ? { newUsername } : {}),
    result: result === 'done' ? 'done' : 'rejected',
    ...(isText(reason) ? { reason } : {}),
  };
}

/** A reason that fits into a line of the log. */
export function auditedReason(reason: string): string {
  return reason.slice(0, MAX_TEXT);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_PEOPLE && value.every(isText);
}
