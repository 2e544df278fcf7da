import type { Call, Party } from '../call.js';

export interface CallRoles {
  readonly caller: Party | undefined;
  /** Several of a forked call. */
  readonly callees: readonly Party[];
}

/** Parties are in the order in which the records name them, and an invitation names its caller first. Records without invitations begin with a stream of the caller. */
export function callRoles({ parties: [caller, ...callees] }: Pick<Call, 'parties'>): CallRoles {
  return { caller, callees };
}
