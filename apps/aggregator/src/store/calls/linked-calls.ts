import type { Verdict } from '@ringdown/quality';
import type { Call, CallState } from '../../calls/call.js';
import { linkKey } from '../../calls/call-keys.js';
import { replacedCallKeys } from '../../calls/life/call-links.js';
import { linkSearchKeys, searchKey } from '../../search/keys/search-keys.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../records/stored-call.js';
import type { Transaction } from '../database/transaction.js';

/** What two calls have in common. */
export type LinkKind = IdKind | 'replaces' | 'replacedBy';

/** A common id. */
type IdKind = 'conversation' | 'conference' | 'correlation';

/**
 * Another call of the same conversation, conference or mediation, or of the same transfer, with the properties that a
 * list shows.
 */
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
  const replaced = replacedCallKeys(call);
  const replacing = searchKey('replaces', linkKey(callKey));
  const { rows } = await transaction.query<StoredCallRow & { call_key: string; search_keys: readonly string[] }>(
    `select ${STORED_CALL}, call_key, search_keys from calls
     where call_key <> $1 and (search_keys && $2::text[] or call_key = any($3))
     order by began_at, call_key limit $4`,
    [callKey, [...keys, replacing], replaced, LINKED_LIMIT],
  );
  return rows.map(({ call_key, search_keys, ...stored }) => {
    const other = storedCall(stored);
    const ofIds = ID_KINDS.filter((kind) =>
      keys.some((key) => key.startsWith(`${kind}:`) && search_keys.includes(key)),
    );
    const replaces: readonly LinkKind[] = replaced.includes(call_key) ? ['replaces'] : [];
    const replacedBy: readonly LinkKind[] = search_keys.includes(replacing) ? ['replacedBy'] : [];
    return {
      callId: other.callId,
      by: [...ofIds, ...replaces, ...replacedBy],
      state: other.state,
      verdict: other.verdict,
      beganAt: other.beganAt,
      endedAt: other.endedAt,
      parties: other.parties.flatMap(({ uri }) => uri ?? []),
    };
  });
}

const ID_KINDS: readonly IdKind[] = ['conversation', 'conference', 'correlation'];
