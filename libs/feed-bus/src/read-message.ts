import type { JsMsg } from '@nats-io/jetstream';
import { isBundleParts, isRecordBatch, partitionsInSubject, type RecordBatch } from '@ringdown/contracts/records';
import { reasonOf } from '@ringdown/errors';
import { RECORDS_OF_MESSAGE, TAIL } from './batch-bytes.js';

/** A message, or a part of it, that contains no readable records. */
export interface Unreadable {
  readonly reason: string;
  readonly text: string;
  /** The partition of the first 8 that reports it: all that read the message find the same. */
  readonly reportedBy: number;
}

type Message = Pick<JsMsg, 'subject' | 'data'>;

/** What a message has for one of the first 8 partitions; nothing else of a bundle is decoded. */
export function readMessage({ subject, data }: Message, partition: number): RecordBatch | Unreadable {
  const others = partitionsInSubject(subject);
  if (others === undefined) return batchIn(Buffer.from(data.buffer, data.byteOffset, data.length), partition);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const start = bytes.indexOf(RECORDS_OF_MESSAGE) + RECORDS_OF_MESSAGE.length;
  const head = parsed(`${bytes.toString('utf8', 0, start)}${TAIL}`);
  const { parts } = Object(head);
  const whole = { text: bytes.toString(), reportedBy: others[0] ?? partition };
  if (!isRecordBatch(head) || !isBundleParts(parts)) return { ...whole, reason: 'not a bundle of a known version' };
  let at = start;
  for (const [of, number, length] of parts.of) {
    if (of !== partition) {
      at += length + 1;
      continue;
    }
    const records = bytes.subarray(at, at + length);
    const batch = batchIn(Buffer.concat([Buffer.from(RECORDS_ALONE), records, Buffer.from(TAIL)]), partition);
    return 'records' in batch ? { ...batch, from: { collector: parts.collector, number } } : batch;
  }
  return { ...whole, reason: `the bundle has no part for partition ${partition}, which its subject names` };
}

/** How many bytes of a message are about those of one partition, before it is decoded. */
export function bytesForPartition({ subject, data }: Message): number {
  return data.length / (partitionsInSubject(subject)?.length || 1);
}

const RECORDS_ALONE = `{"v":1${RECORDS_OF_MESSAGE}`;

function batchIn(json: Buffer, reportedBy: number): RecordBatch | Unreadable {
  const text = json.toString();
  try {
    const batch: unknown = JSON.parse(text);
    if (isRecordBatch(batch)) return batch;
    return { reason: 'not a batch of records of a known version', text, reportedBy };
  } catch (error) {
    return { reason: reasonOf(error), text, reportedBy };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller checks what it is.
    return undefined;
  }
}
