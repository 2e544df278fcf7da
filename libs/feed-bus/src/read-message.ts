import type { JsMsg } from '@nats-io/jetstream';
import {
  isBundle,
  isBundleParts,
  isRecordBatch,
  partitionAmong,
  partitionOfCall,
  PARTITIONS,
  partitionsInSubject,
  type RecordBatch,
} from '@ringdown/contracts/records';
import { errorReason } from '@ringdown/errors';
import { RECORDS_OF_MESSAGE, TAIL } from './batch-bytes.js';
import { parsedJson } from './parsed-json.js';

/** A message, or a part of it, that contains no readable records. */
export interface Unreadable {
  readonly reason: string;
  readonly text: string;
  /** The partition of the first 8 that reports it: others may find the same. */
  readonly reportedBy: number;
}

type Message = Pick<JsMsg, 'subject' | 'data'>;

/** What a message has for one of the first 8 partitions; nothing else of a bundle is decoded. */
export function readMessage({ subject, data }: Message, partition: number): RecordBatch | Unreadable {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (!isBundle(subject)) return batchIn(bytes.toString(), partition);
  const start = bytes.indexOf(RECORDS_OF_MESSAGE) + RECORDS_OF_MESSAGE.length;
  const head = parsedJson(`${bytes.toString('utf8', 0, start)}${TAIL}`);
  const { parts } = Object(head);
  const unreadable = (reason: string, reportedBy: number): Unreadable => {
    return { reason, text: bytes.toString(), reportedBy };
  };
  if (!isRecordBatch(head) || !isBundleParts(parts))
    return unreadable('not a bundle of a known version', partitionsInSubject(subject)[0] ?? partition);
  let at = start;
  for (const [of, number, length] of parts.of) {
    if (of !== partition) {
      at += length + 1;
      continue;
    }
    const batch = batchIn(`${RECORDS_ALONE}${bytes.toString('utf8', at, at + length)}${TAIL}`, partition);
    return 'records' in batch ? { ...batch, from: { collector: parts.collector, number } } : batch;
  }
  // The others find their parts.
  return unreadable(`the bundle has no part for partition ${partition}, which its subject names`, partition);
}

/** How many bytes of a message are about those of one partition, before it is decoded. */
export function bytesForPartition({ subject, data }: Message): number {
  return data.length / (partitionsInSubject(subject).length || 1);
}

/** Of records that have no call or are in the wrong subject, the first partition of the subject reports that. */
export function isOfPartition(record: unknown, partition: number, partitions: number): boolean {
  const callId = at(at(at(record, 'record'), 'connection'), 'callId');
  const isOfSubject = typeof callId === 'string' && partitionOfCall(callId) === partition % PARTITIONS;
  return isOfSubject ? partitionAmong(partitions, callId) === partition : partition < PARTITIONS;
}

function at(value: unknown, name: string): unknown {
  const { [name]: found }: Partial<Record<string, unknown>> = { ...Object(value) };
  return found;
}

const RECORDS_ALONE = `{"v":1${RECORDS_OF_MESSAGE}`;

function batchIn(text: string, reportedBy: number): RecordBatch | Unreadable {
  try {
    const batch: unknown = JSON.parse(text);
    if (isRecordBatch(batch)) return batch;
    return { reason: 'not a batch of records of a known version', text, reportedBy };
  } catch (error) {
    return { reason: errorReason(error), text, reportedBy };
  }
}
