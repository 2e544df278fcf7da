export const APPLICATION_TYPES = ['Browser', 'Phone'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** One running client of one user (web-interface.md, section 3). It outlives the token with which it was created. */
export interface Application {
  /** Twelve digits that cannot be guessed. */
  readonly id: string;
  /** The owner. */
  readonly username: string;
  /** The client's own name for itself, unique among the user's clients. */
  readonly endpointId: string;
  readonly culture: string;
  readonly userAgent: string;
  readonly type: ApplicationType;
  /**
   * The instances that have their own event channel: the client's tabs by their ids, or the client itself, which is
   * null. Never empty.
   */
  readonly instances: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970, exact to the hour. */
  readonly usedAt: number;
}

/**
 * Why the server ended an application: subcodes of the error table, reported for a while (web-interface.md, section 3).
 */
export const END_REASONS = ['TooManyApplications', 'InactiveApplicationExpired'] as const;
export type ApplicationEndReason = (typeof END_REASONS)[number];

/** What remains of an application that the server ended. */
export interface Tombstone {
  readonly ended: ApplicationEndReason;
  readonly username: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The applications of one user, the oldest first; decides which endpoint has which application. */
export interface OwnApplications {
  readonly applications: readonly { readonly id: string; readonly endpointId: string }[];
}

export function isTombstone(stored: Application | Tombstone): stored is Tombstone {
  return 'ended' in stored;
}

export function parseStored(value: unknown): Application | Tombstone {
  const fields = fieldsOf(value);
  if ('ended' in fields) {
    const ended = END_REASONS.find((reason) => reason === fields['ended']) ?? wrong();
    return { ended, username: text(fields['username']), at: time(fields['at']) };
  }
  return {
    id: text(fields['id']),
    username: text(fields['username']),
    endpointId: text(fields['endpointId']),
    culture: text(fields['culture']),
    userAgent: text(fields['userAgent']),
    type: APPLICATION_TYPES.find((type) => type === fields['type']) ?? wrong(),
    instances: list(fields['instances']).map((instance) => (instance === null ? null : text(instance))),
    createdAt: time(fields['createdAt']),
    usedAt: time(fields['usedAt']),
  };
}

export function parseOwnApplications(value: unknown): OwnApplications {
  const applications = list(fieldsOf(value)['applications']).map((item) => {
    const fields = fieldsOf(item);
    return { id: text(fields['id']), endpointId: text(fields['endpointId']) };
  });
  return { applications };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : wrong();
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : wrong();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : wrong();
}

function time(value: unknown): number {
  return typeof value === 'number' ? value : wrong();
}

function wrong(): never {
  throw new Error('a stored application has an unknown format');
}
