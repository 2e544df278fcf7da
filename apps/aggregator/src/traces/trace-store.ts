import type { TraceBatch } from '@ringdown/contracts/traces';
import { callKey } from '../calls/call-keys.js';
import { prepared } from '../store/database/transaction.js';
import type { Database } from '../store/database/database.js';
import type { StoredMessage } from './call-message.js';
import { chunkDigest, messageDigest } from './message-digests.js';
import { packMessages } from './packed-messages.js';

/** The newest segment that has a part of this table: an older aggregator opens segments without one. */
const INSERT = `insert into trace_chunks (segment, call_key, digest, first_at, messages, size, packed)
  select (select max(number) from trace_segments where to_regclass('trace_chunks_s' || number) is not null),
    call_key, digest, first_at, messages, size, packed
  from unnest($1::text[], $2::bytea[], $3::bigint[], $4::integer[], $5::integer[], $6::bytea[])
    as given (call_key, digest, first_at, messages, size, packed)
  on conflict do nothing returning messages`;

/** Writes messages of calls. */
export class TraceStore {
  constructor(private readonly database: Database) {}

  /** All messages of one call in a batch are one row. Returns how many messages were new. */
  async add(batch: TraceBatch): Promise<number> {
    const chunks = [...messagesByCall(batch)].map(([key, messages]) => chunkOf(key, messages));
    const { rows } = await this.database.write((transaction) =>
      transaction.query<{ messages: number }>(
        prepared(transaction, INSERT, [
          chunks.map(({ key }) => key),
          chunks.map(({ digest }) => digest),
          chunks.map(({ firstAt }) => firstAt),
          chunks.map(({ messages }) => messages),
          chunks.map(({ size }) => size),
          chunks.map(({ packed }) => packed),
        ]),
      ),
    );
    return rows.reduce((sum, { messages }) => sum + messages, 0);
  }
}

/** Each message once, by its digest. */
function messagesByCall({ frontEnd, messages }: TraceBatch): ReadonlyMap<string, ReadonlyMap<string, StoredMessage>> {
  const calls = new Map<string, Map<string, StoredMessage>>();
  for (const { payload, ...message } of messages) {
    const stored = { ...message, frontEnd, payload: Buffer.from(payload, 'base64') };
    const key = callKey(message.callId);
    const ofCall = calls.get(key) ?? new Map<string, StoredMessage>();
    calls.set(key, ofCall.set(messageDigest(stored), stored));
  }
  return calls;
}

function chunkOf(
  key: string,
  messages: ReadonlyMap<string, StoredMessage>,
): {
  readonly key: string;
  readonly digest: Buffer;
  readonly firstAt: number;
  readonly messages: number;
  readonly size: number;
  readonly packed: Buffer;
} {
  const sorted = [...messages.values()].toSorted((one, other) => one.at - other.at);
  return {
    key,
    digest: chunkDigest([...messages.keys()]),
    firstAt: sorted[0]?.at ?? 0,
    messages: sorted.length,
    size: sorted.reduce((sum, { payload }) => sum + payload.length, 0),
    packed: packMessages(sorted),
  };
}
