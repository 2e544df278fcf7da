import type { Call, CallState, Verdict } from '../calls/call.js';
import { linkSearchKeys } from '../calls/search-keys.js';
import type { Transaction } from './transaction.js';

/** What two calls have in common. */
export type LinkKind = 'conversation' | 'conference' | 'correlation';

/** Another call of the same conversation, conference or mediation, with the properties that a list shows. */
export interface LinkedCall {
  readonly callId: string;
  readonly by: readonly LinkKind[];
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** URIs of its parties. */
  readonly parties: readonly string[];
}

/** The size of a large conference; more calls are not listed. */
export const LINKED_LIMIT = 200;

/** The earliest first. */
export async function linkedTo(transaction: Transaction, callKey: string, call: Call): Promise<readonly LinkedCall[]> {
  const keys = linkSearchKeys(call);
  if (keys.length === 0) return [];
  const { rows } = await transaction.query<{ call: Call; search_keys: readonly string[] }>(
    `select call, search_keys from calls where call_key <> $1 and search_keys && $2::text[]
     order by began_at, call_key limit $3`,
    [callKey, keys, LINKED_LIMIT],
  );
  return rows.map(({ call: other, search_keys }) => {
    return {
      callId: other.callId,
      by: LINK_KINDS.filter((kind) => keys.some((key) => key.startsWith(`${kind}:`) && search_keys.includes(key))),
      state: other.state,
      verdict: other.verdict,
      beganAt: other.beganAt,
      endedAt: other.endedAt,
      parties: other.parties.flatMap(({ uri }) => uri ?? []),
    };
  });
}

const LINK_KINDS: readonly LinkKind[] = ['conversation', 'conference', 'correlation'];
