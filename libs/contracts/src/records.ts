import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { isCount, type Untrusted } from './foreign-json.js';

/** Stream with every accepted record, kept until its age or size limit. */
export const RECORDS_STREAM = 'RECORDS';

/** Collectors spread calls over this many subjects: a constant of the product, as every stored record is in one. */
export const PARTITIONS = 8;

/**
 * Into how many partitions aggregators may divide the feed. Each partition beyond the first 8 reads one of the same
 * subjects and leaves out the calls of the others, so that the order of each call stays that of its subject (ADR 0060).
 */
export const PARTITION_COUNTS = ['8', '16', '32', '64'] as const;

/** The subject of messages that have records of one of the first 8 partitions only. */
export function recordsSubject(partition: number): string {
  return `ringdown.records.${subjectNumber(partition)}`;
}

/**
 * Not below `ringdown.records`: nats-server 2.10.27 delivers nothing to a consumer whose filters are `r.3` and `r.*.*`, and all
 * with `a.3` and `b.*.*`.
 */
const BUNDLES = 'ringdown.bundles';
const NOT_IN_BUNDLE = '-';

/** All bundles: messages with records of several partitions (ADR 0086). */
export const BUNDLES_SUBJECT = bundleSubjectOf(() => '*');

/** The subject of a bundle, with a place for each of the first 8 partitions: its number, or `-` when the bundle has none of its records. */
export function bundleSubject(partitions: readonly number[]): string {
  return bundleSubjectOf((partition) => (partitions.includes(partition) ? String(partition) : NOT_IN_BUNDLE));
}

export function isBundle(subject: string): boolean {
  return subject.startsWith(`${BUNDLES}.`);
}

/** Of which of the first 8 partitions a message has records, ascending. */
export function partitionsInSubject(subject: string): readonly number[] {
  const [, , ...places] = subject.split('.');
  return places.filter((place) => place !== NOT_IN_BUNDLE).map(Number);
}

/** The filters for all messages with records of a partition, and of others that have the same subjects. */
export function subjectsOfPartition(partition: number): readonly [string, string] {
  const number = subjectNumber(partition);
  return [recordsSubject(partition), bundleSubjectOf((place) => (place === number ? String(number) : '*'))];
}

function bundleSubjectOf(placeOf: (partition: number) => string): string {
  return [BUNDLES, ...Array.from({ length: PARTITIONS }, (_, partition) => placeOf(partition))].join('.');
}

/** Partitions of the same number read the same messages: what waits there must not be counted for each of them. */
export function subjectNumber(partition: number): number {
  return partition % PARTITIONS;
}

/** The same call always has the same partition of the first 8: the number of its subject. */
export function partitionOfCall(callId: string): number {
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

/** Records that were packed into one message and are acknowledged together: those of one partition, or a {@link RecordBundle}. */
export interface RecordBatch {
  readonly v: 1;
  /** Older collectors leave it out, and bundles have {@link BundleParts}. */
  readonly from?: MessageOrigin;
  readonly records: readonly PublishedRecord[];
}

/** A message with the records of several partitions, one partition after the other. Whoever wants all of them need not know of the parts. */
export interface RecordBundle extends RecordBatch {
  readonly parts: BundleParts;
}

/** Where the records of each partition are, so that its reader decodes no others. */
export interface BundleParts {
  /** As in {@link MessageOrigin}. */
  readonly collector: string;
  /** In the order of the records. */
  readonly of: readonly BundlePart[];
}

/** Partition, number of the collector as in {@link MessageOrigin}, and bytes of the JSON of its records with the commas between them. */
type BundlePart = readonly [partition: number, number: number, bytes: number];

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

/** Checks the parts of a bundle; their bytes are in a message of a limited size. */
export function isBundleParts(value: unknown): value is BundleParts {
  const { collector, of }: Untrusted = { ...Object(value) };
  return Array.isArray(of) && of.every((part) => isBundlePart(part, collector));
}

function isBundlePart(part: unknown, collector: unknown): boolean {
  if (!Array.isArray(part) || part.length !== 3) return false;
  const [partition, number, bytes]: readonly unknown[] = part;
  return isCount(partition) && isCount(bytes) && isOrigin({ collector, number });
}

function isOrigin(value: unknown): value is MessageOrigin {
  const { collector, number }: Untrusted = { ...Object(value) };
  return isCollectorId(collector) && typeof number === 'number' && Number.isSafeInteger(number) && number > 0;
}

/** It becomes a key in the database, where one that cannot be stored would hold up all records. */
function isCollectorId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{1,32}$/.test(value);
}

/** How many records of each partition a publisher has stored since it was created, counted by acknowledgements. */
export interface AcceptedRecords {
  /** As in its messages. */
  readonly collector: string;
  readonly byPartition: readonly number[];
}

/** Counts are stored in the database, by collector and partition. */
export function isAcceptedRecords(value: unknown): value is AcceptedRecords {
  const { collector, byPartition }: Untrusted = { ...Object(value) };
  return (
    isCollectorId(collector) &&
    Array.isArray(byPartition) &&
    byPartition.length <= PARTITIONS &&
    byPartition.every(isCount)
  );
}
