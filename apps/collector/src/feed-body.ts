import { randomUUID } from 'node:crypto';
import type { PublishedRecord, RecordJson } from '@ringdown/bus';
import type { VendorProfile } from '@ringdown/vendor-profile';
import {
  decodeBody,
  FeedSyntaxError,
  readFeedMessage,
  type ConfigurationRequest,
  type DiagnosticsRecord,
} from '@ringdown/xml-schemas';
import type { RefusalCode } from './refusal.js';

/** What a body turned out to be: plain data, as it goes from one thread to another. */
export type BodyRead = RecordRead | ConfigurationRead | BodyRefused | ReadingFailed;

/** A record, ready to be stored, and what is said of it meanwhile. */
export interface RecordRead extends RecordJson {
  readonly kind: 'record';
  readonly frontEnds: readonly string[];
  /** The kind of its events; `several` or `none`. */
  readonly reports: string;
}

export interface ConfigurationRead {
  readonly kind: 'configurationRequest';
  readonly request: ConfigurationRequest;
}

export interface BodyRefused {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  /** For a person. */
  readonly reason: string;
}

/** Our own mistake. */
export interface ReadingFailed {
  readonly kind: 'failed';
  readonly message: string;
  readonly stack: string | undefined;
}

/** A message on the bus may have a megabyte; the rest is for what surrounds the record. */
const MAX_STORED_BYTES = 900_000;

/**
 * Reads a body that is not empty, and makes JSON of its record. `receivedAt`: the collector's clock, milliseconds since
 * 1970. Never throws.
 */
export function readFeedBody(body: Uint8Array, receivedAt: number, profile: VendorProfile): BodyRead {
  try {
    return read(body, receivedAt, profile);
  } catch (error) {
    if (error instanceof FeedSyntaxError) return { kind: 'refused', code: error.code, reason: error.message };
    if (error instanceof Error) return { kind: 'failed', message: error.message, stack: error.stack };
    return { kind: 'failed', message: String(error), stack: undefined };
  }
}

function read(body: Uint8Array, receivedAt: number, profile: VendorProfile): BodyRead {
  const xml = decodeBody(body);
  const message = readFeedMessage(xml, profile);
  if (message.kind === 'configurationRequest') return message;
  const { record } = message;
  const json = JSON.stringify({ id: randomUUID(), receivedAt, record, xml } satisfies PublishedRecord);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_STORED_BYTES) {
    return { kind: 'refused', code: 'too-large', reason: 'The record is larger than can be stored.' };
  }
  const { callId, frontEnds } = record.connection;
  return { kind: 'record', json, bytes, callId, frontEnds, reports: reportsOf(record) };
}

/** Later versions put several kinds into one record; records with none are real too. */
function reportsOf({ events }: DiagnosticsRecord): string {
  const [first] = events;
  if (!first) return 'none';
  return events.every(({ kind }) => kind === first.kind) ? first.kind : 'several';
}
