import type { DiagnosticsRecord } from '@ringdown/xml-schemas';

/** Stream with every accepted record, kept until its age or size limit. */
export const RECORDS_STREAM = 'RECORDS';

/** Collectors spread calls over this many subjects: a constant of the product, as every stored record is in one. */
export const PARTITIONS = 8;

/**
 * Into how many partitions aggregators may divide the feed. Each partition beyond the first 8 reads one of the same
 * subjects and leaves out the calls of the others, so that the order of each call stays that of its subject (ADR 0060).
 */
export const PARTITION_COUNTS = ['8', '16', '32', '64'] as const;

/** The subject that has all records of a partition, and those of others if there are more than 8. */
export function recordsSubject(partition: number): string {
  return `ringdown.records.${subjectNumber(partition)}`;
}

/** Partitions of the same number read the same messages: what waits there must not be counted for each of them. */
export function subjectNumber(partition: number): number {
  return partition % PARTITIONS;
}

/** The same call always has the same partition of the first 8: the number of its subject. */
export function partitionOf(callId: string): number {
  return partitionAmong(PARTITIONS, callId);
}

/** Its partition when the feed is divided into so many. */
export function partitionAmong(partitions: number, callId: string): number {
  return callHash(callId) % partitions;
}

/** FNV-1a over the lower-cased CallId (CallIds are compared case-insensitively): a whole number below 2^32. */
export function callHash(callId: string): number {
  let hash = 0x811c9dc5;
  for (const char of callId.toLowerCase()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}

/** The sender's side of the connection over which something arrived. Older collectors leave it out. */
export interface SentBy {
  /** IP address; behind a load balancer that forwards it, the address of the front end. */
  readonly remoteAddress?: string | undefined;
  /** Subject of the client certificate of the front end, after verification; see docs/guides/front-ends.md. */
  readonly certificateSubject?: string | undefined;
}

/** One accepted record as it travels from a collector to the aggregators. */
export interface PublishedRecord extends SentBy {
  /** Assigned by the collector; the same record delivered twice by the bus keeps its id. */
  readonly id: string;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly record: DiagnosticsRecord;
  /** The record as received, for operators. */
  readonly xml: string;
  /** `receivedAt` is long before the bus stored it: replayed from a dead letter, or a back-fill, which counts as received at its own time. */
  readonly replayed?: true;
}

/** A record as it is read from the bus. */
export interface ReadRecord extends PublishedRecord {
  /** When the bus stored it, milliseconds since 1970 by its clock. */
  readonly storedAt: number;
}

/** Which message of which collector this is. */
export interface MessageOrigin {
  /** A random number made at each start of the collector, hexadecimal. */
  readonly collector: string;
  /** Counted from 1 in each partition; the same on every attempt to store the message. */
  readonly number: number;
}

/** The number of records that a collector has put into one message. */
export interface CollectorMessage extends MessageOrigin {
  readonly records: number;
}

/** Records of one partition that were packed into one message and are acknowledged together. */
export interface RecordBatch {
  readonly v: 1;
  /** Older collectors leave it out. */
  readonly from?: MessageOrigin;
  readonly records: readonly PublishedRecord[];
}

/** Only our own collectors write to these subjects; the version shows whether the rest has the format that we know. */
export function isRecordBatch(value: unknown): value is RecordBatch {
  return (
    typeof value === 'object' &&
    value !== null &&
    'v' in value &&
    value.v === 1 &&
    'records' in value &&
    Array.isArray(value.records) &&
    (!('from' in value) || isOrigin(value.from))
  );
}

function isOrigin(value: unknown): value is MessageOrigin {
  const { collector, number }: Partial<Record<string, unknown>> = { ...Object(value) };
  return typeof collector === 'string' && typeof number === 'number' && Number.isSafeInteger(number) && number > 0;
}

/** How many records of each partition a publisher has stored since it was created, counted by acknowledgements. */
export interface AcceptedRecords {
  /** As in its messages. */
  readonly collector: string;
  readonly byPartition: readonly number[];
}
