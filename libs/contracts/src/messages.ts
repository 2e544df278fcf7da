import type { DiagnosticsRecord } from '@ringdown/xml-schemas';

/** Whose connection something came over. Older collectors leave it out. */
export interface SentBy {
  /** IP address; behind a balancer that tells it, the one of the front end. */
  readonly remoteAddress?: string | undefined;
  /** Of the certificate that the front end has shown, and that was checked; see docs/guides/front-ends.md. */
  readonly certificateSubject?: string | undefined;
}

/** One accepted record as it travels from a collector to the aggregators. */
export interface PublishedRecord extends SentBy {
  /** Given by the collector; the same record delivered twice by the bus keeps its id. */
  readonly id: string;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly record: DiagnosticsRecord;
  /** The record as it came, for the eyes of an operator. */
  readonly xml: string;
  /** Put into the feed again out of a dead letter: it was received long before the bus stored it. */
  readonly replayed?: true;
}

/** A record as it is read from the bus. */
export interface ReadRecord extends PublishedRecord {
  /** When the bus stored it, milliseconds since 1970 by its clock. */
  readonly storedAt: number;
}

/** Which message of which collector this is. */
export interface MessageOrigin {
  /** Made up at each start of the collector, hexadecimal. */
  readonly collector: string;
  /** Counted from 1 in each partition; the same on every try to store the message. */
  readonly number: number;
}

/** How much a collector has put into one message. */
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

/** Only our own collectors write to those subjects; the version says whether the rest is what we know. */
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

/** How many records of each partition a publisher has stored since it was made: those that it was told are stored. */
export interface AcceptedRecords {
  /** As its messages name it. */
  readonly collector: string;
  readonly byPartition: readonly number[];
}

export type DeadLetterCode =
  | 'unreadable-message'
  | 'unreadable-record'
  | 'unstorable-record'
  | 'call-too-long'
  /** Its processing takes longer than it may. */
  | 'slow-record'
  /** Again and again the process ended while it was processed. */
  | 'fatal-record'
  /** A subscriber did not get it: it could not be converted, filtered or hidden, or not in time. */
  | 'unsendable-record';

/** An accepted record that could not become part of a call. */
export interface DeadLetter {
  readonly v: 1;
  /** The aggregator's clock, milliseconds since 1970. */
  readonly setAsideAt: number;
  /** Where it was read. */
  readonly partition: number;
  /** Message of the stream of records that held it, or the last of the messages that were read with it. */
  readonly sequence: number;
  readonly code: DeadLetterCode;
  /** For a person. */
  readonly reason: string;
  /** The record as it stood there; of a message that was no batch of records, its text. */
  readonly content: unknown;
}

/** A body that was refused, kept for an operator. */
export interface RejectedRecord extends SentBy {
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly remoteAddress: string;
  readonly path: string;
  /** Stable code from the collector's error table. */
  readonly code: string;
  readonly reason: string;
  /** The start of the body, cut where it was too long to keep. */
  readonly body: string;
}

/** Calls that have changed, newest state, sent after the database has them. */
export interface CallsChanged<C> {
  readonly calls: readonly C[];
}

export interface TokenRevoked {
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}
