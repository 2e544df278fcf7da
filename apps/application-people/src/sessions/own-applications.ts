import type { Tombstone } from './application.js';
import { storedFields, list, parseApplication, parseTombstone, type StoredApplication } from './stored-application.js';

/** The applications of one user, as they are stored: one entry, so that each change is one write. */
export interface OwnApplications {
  /** The oldest first. */
  readonly applications: readonly StoredApplication[];
  /** Those that the server has ended not long ago. */
  readonly ended: readonly Tombstone[];
}

export const NO_APPLICATIONS: OwnApplications = { applications: [], ended: [] };

/** An application that is not used for this long expires, milliseconds. */
export const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * How long the server reports that it ended an application; later it is unknown, because bots recover only from that.
 */
const TOMBSTONE_MS = 10 * 60 * 1000;
/** An entry larger than the bus accepts (1 MiB) could not be written at all: applications with long names count for more. */
const MAX_BYTES = 900_000;
const BYTES_EACH = 160;
/** Of one UTF-16 code unit, at most, in JSON. */
const BYTES_PER_UNIT = 6;

export function parseOwnApplications(value: unknown): OwnApplications {
  const { applications, ended } = storedFields(value);
  return { applications: list(applications).map(parseApplication), ended: list(ended).map(parseTombstone) };
}

/** The application with this id, or its tombstone. */
export function findIn(
  { applications, ended }: OwnApplications,
  id: string,
  now: number,
): StoredApplication | Tombstone | undefined {
  const running = applications.find((each) => each.id === id);
  if (running !== undefined) return isExpired(running, now) ? undefined : running;
  return ended.find((each) => each.id === id && now - each.at < TOMBSTONE_MS);
}

export function runningIn({ applications }: OwnApplications, now: number): readonly StoredApplication[] {
  return applications.filter((each) => !isExpired(each, now));
}

/** With one application more, or instead of the one with its id. */
export function withApplication(own: OwnApplications, application: StoredApplication): OwnApplications {
  const at = own.applications.findIndex(({ id }) => id === application.id);
  return {
    ...own,
    applications: at === -1 ? [...own.applications, application] : own.applications.with(at, application),
  };
}

/** Without one application; `tombstone` remains of it. */
export function withoutApplication(own: OwnApplications, ended: string, tombstone?: Tombstone): OwnApplications {
  return {
    applications: own.applications.filter(({ id }) => id !== ended),
    ended: tombstone === undefined ? own.ended : [...own.ended, tombstone],
  };
}

/** Ends the oldest applications over the limit, and forgets what has expired. */
export function limited(
  own: OwnApplications,
  { perUser, now }: { readonly perUser: number; readonly now: number },
): { readonly own: OwnApplications; readonly displaced: readonly StoredApplication[] } {
  const running = runningIn(own, now);
  const recent = own.ended.filter(({ at }) => now - at < TOMBSTONE_MS);
  const surplus = Math.max(running.length - perUser, surplusBytes(running));
  if (surplus <= 0) return { own: { applications: running, ended: recent }, displaced: [] };
  const displaced = running.slice(0, surplus);
  const ended = displaced.map(({ id }) => ({ id, ended: 'TooManyApplications', at: now }) as const);
  return { own: { applications: running.slice(surplus), ended: [...recent, ...ended].slice(-perUser) }, displaced };
}

/** How many of the oldest applications are too many for one entry. */
function surplusBytes(running: readonly StoredApplication[]): number {
  let left = MAX_BYTES;
  // The newest one is kept, however long its names are.
  for (let at = running.length - 1; at > 0; at--) {
    left -= storedApplicationBytes(running[at]);
    if (left < 0) return at + 1;
  }
  return 0;
}

/** No less than its JSON has. */
function storedApplicationBytes(application: StoredApplication | undefined): number {
  if (application === undefined) return 0;
  const { endpointId, culture, userAgent, instances = [] } = application;
  let units = endpointId.length + culture.length + userAgent.length;
  for (const instance of instances) units += (instance?.length ?? 0) + 1;
  return BYTES_EACH + units * BYTES_PER_UNIT;
}

function isExpired({ usedAt }: StoredApplication, now: number): boolean {
  return now - usedAt >= MAX_AGE_MS;
}
