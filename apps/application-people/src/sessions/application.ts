export const APPLICATION_TYPES = ['Browser', 'Phone'] as const;
export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** One running client of one user (web-interface.md, section 3). It outlives the token with which it was created. */
export interface Application {
  /** 24 digits that cannot be guessed and are never used again; versions before made twelve. */
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
  /** Milliseconds since 1970, exact to the hour. */
  readonly usedAt: number;
  /** Milliseconds since 1970; versions before did not store it. */
  readonly createdAt?: number;
}

/**
 * Why the server ended an application: subcodes of the error table, reported for a while (web-interface.md, section 3).
 */
export const END_REASONS = ['TooManyApplications', 'InactiveApplicationExpired'] as const;
export type ApplicationEndReason = (typeof END_REASONS)[number];

/** What remains of an application that the server ended. */
export interface Tombstone {
  readonly id: string;
  readonly ended: ApplicationEndReason;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function isTombstone(found: object): found is Tombstone {
  return 'ended' in found;
}
