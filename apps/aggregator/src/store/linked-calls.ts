import type { Call, CallState, Verdict } from '../calls/call.js';
import type { Transaction } from './database.js';
import { linkKeys } from './rows.js';

/** What two calls have in common. */
export type LinkKind = 'conversation' | 'conference' | 'correlation';

/** Another call of the same conversation, conference or mediation, as much of it as a list shows. */
export interface LinkedCall {
  readonly callId: string;
  readonly by: readonly LinkKind[];
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** URIs of those on it. */
  readonly parties: readonly string[];
}

/** A large conference; more are not listed. */
export const LINKED_LIMIT = 200;

/** The earliest first. */
export async function linkedTo(transaction: Transaction, callKey: string, call: Call): Promise<readonly LinkedCall[]> {
  const { conversation_key, conference_key, correlation_key } = linkKeys(call);
  if (conversation_key === null && conference_key === null && correlation_key === null) return [];
  interface Row {
    readonly call: Call;
    readonly conversation: boolean | null;
    readonly conference: boolean | null;
    readonly correlation: boolean | null;
  }
  const { rows } = await transaction.query<Row>(
    `select call, conversation_key = $2 as conversation, conference_key = $3 as conference,
       correlation_key = $4 as correlation
     from calls where call_key <> $1 and (conversation_key = $2 or conference_key = $3 or correlation_key = $4)
     order by began_at, call_key limit $5`,
    [callKey, conversation_key, conference_key, correlation_key, LINKED_LIMIT],
  );
  return rows.map(({ call: other, conversation, conference, correlation }) => {
    const kinds = { conversation, conference, correlation };
    return {
      callId: other.callId,
      by: LINK_KINDS.filter((kind) => kinds[kind]),
      state: other.state,
      verdict: other.verdict,
      beganAt: other.beganAt,
      endedAt: other.endedAt,
      parties: other.parties.flatMap(({ uri }) => uri ?? []),
    };
  });
}

const LINK_KINDS: readonly LinkKind[] = ['conversation', 'conference', 'correlation'];
