import type { DiagnosticsRecord } from '@ringdown/xml-schemas';

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
  /** Replayed from a dead letter: it was received long before the bus stored it. */
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

export type DeadLetterCode =
  | 'unreadable-message'
  | 'unreadable-record'
  | 'unstorable-record'
  | 'call-too-long'
  /** Its processing exceeds the time limit. */
  | 'slow-record'
  /** The process ended repeatedly while it was processed. */
  | 'fatal-record'
  /** It was not delivered to a subscriber: it could not be converted, filtered or hidden, or not in time. */
  | 'unsendable-record';

/** An accepted record that could not become part of a call. */
export interface DeadLetter {
  readonly v: 1;
  /** The aggregator's clock, milliseconds since 1970. */
  readonly setAsideAt: number;
  /** The partition in which it was read. */
  readonly partition: number;
  /**
   * Sequence of the message that contained it, in the stream of records, or of the last message read together with it.
   */
  readonly sequence: number;
  readonly code: DeadLetterCode;
  /** Readable text. */
  readonly reason: string;
  /** The record as found in the message; if the message was not a batch of records, its text. */
  readonly content: unknown;
}

/** A rejected body, stored for an operator. */
export interface RejectedRecord extends SentBy {
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly remoteAddress: string;
  readonly path: string;
  /** Stable code from the collector's error table. */
  readonly code: string;
  readonly reason: string;
  /** The start of the body; truncated if it was too long. */
  readonly body: string;
}

/** Changed calls in their newest state, published after the database has stored them. */
export interface CallsChanged<C> {
  readonly calls: readonly C[];
}

export interface TokenRevoked {
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}
