import type { DiagnosticsRecord } from '@ringdown/xml-schemas';

/** One accepted record as it travels from a collector to the aggregators. */
export interface PublishedRecord {
  /** Given by the collector; the same record delivered twice by the bus keeps its id. */
  readonly id: string;
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly record: DiagnosticsRecord;
  /** The record as it came, for the eyes of an operator. */
  readonly xml: string;
}

/** Records of one partition that were packed into one message and are acknowledged together. */
export interface RecordBatch {
  readonly v: 1;
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
    Array.isArray(value.records)
  );
}

export type DeadLetterCode = 'unreadable-message' | 'unreadable-record' | 'unstorable-record' | 'call-too-long';

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
export interface RejectedRecord {
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
