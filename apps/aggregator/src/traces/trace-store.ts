import type { TraceBatch, TracedMessage } from '@ringdown/contracts/traces';
import { createHash } from 'node:crypto';
import { callKey } from '../calls/call-keys.js';
import { prepared } from '../store/database/transaction.js';
import type { Database } from '../store/database/database.js';

const INSERT = `insert into trace_messages (segment, call_key, digest, at, received_at, call_id, front_end, point, source, source_port,
    destination, destination_port, content, payload)
  select (select max(number) from trace_segments), call_key, decode(digest, 'base64'), at, to_timestamp($2 / 1000.0), call_id,
    $3, point, source, source_port, destination, destination_port, content, decode(payload, 'base64')
  from json_to_recordset($1) as given (call_key text, digest text, at bigint, call_id text, point text, source inet,
    source_port integer, destination inet, destination_port integer, content text, payload text)
  on conflict do nothing`;

/** Writes messages of calls. */
export class TraceStore {
  constructor(private readonly database: Database) {}

  /** Returns how many were new. */
  async add({ frontEnd, receivedAt, messages }: TraceBatch): Promise<number> {
    const rows = messages.map((message) => traceRow(frontEnd, message));
    const { rowCount } = await this.database.write((transaction) =>
      transaction.query(prepared(transaction, INSERT, [JSON.stringify(rows), receivedAt, frontEnd])),
    );
    return rowCount ?? 0;
  }
}

function traceRow(frontEnd: string, message: TracedMessage): object {
  const { callId, at, source, destination, content, point, payload } = message;
  return {
    call_key: callKey(callId),
    digest: tracedMessageDigest(frontEnd, message),
    at,
    call_id: callId,
    point,
    source: source.ip,
    source_port: source.port,
    destination: destination.ip,
    destination_port: destination.port,
    content,
    payload,
  };
}

function tracedMessageDigest(
  frontEnd: string,
  { at, source, destination, content, point, payload }: TracedMessage,
): string {
  const identity = [frontEnd, point, at, source.ip, source.port, destination.ip, destination.port, content, payload];
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64');
}
