import { isIP } from 'node:net';
import { isText, isTime, isWhole, type Untrusted } from './foreign-json.js';

/** Stream with messages of calls that the aggregators have not stored yet; a stored message is deleted from it. */
export const TRACES_STREAM = 'TRACES';

export const TRACES_SUBJECT = 'ringdown.traces';

/** Calls of which messages were stored, for live readers; not kept. */
export const TRACES_STORED_SUBJECT = 'ringdown.traces.stored';

/** The last segment of the path to which senders post batches of messages. */
export const TRACES_PATH_END = 'TraceMessages';

export type TracedContent = 'sip' | 'rtcp';

export interface TracedAddress {
  /** IPv4, or IPv6 without brackets. */
  readonly ip: string;
  readonly port: number;
}

/** A message of a call as a sender captured it. */
export interface TracedMessage {
  /** As in the records of the call. */
  readonly callId: string;
  /** By the clock of the capture agent, microseconds since 1970. */
  readonly at: number;
  readonly source: TracedAddress;
  readonly destination: TracedAddress;
  readonly content: TracedContent;
  /** Where it was captured: name or number of the capture agent; empty for the sender itself. */
  readonly point: string;
  /** Base64. */
  readonly payload: string;
}

/** What a sender posts. */
export interface TraceBody {
  readonly v: 1;
  readonly frontEnd: string;
  readonly messages: readonly TracedMessage[];
}

/** What a collector publishes. */
export interface TraceBatch extends TraceBody {
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
}

/** The ids of the calls; see {@link TRACES_STORED_SUBJECT}. */
export interface TracesStored {
  /** In lower case. */
  readonly callIds: readonly string[];
}

export const TRACE_LIMITS = {
  /** In one batch. */
  messages: 1_000,
  /** A message that fits into a UDP packet of the export. */
  payloadBytes: 65_000,
  callIdCharacters: 512,
  frontEndCharacters: 255,
  pointCharacters: 64,
  /** The year 2100, microseconds since 1970. */
  latest: 4_102_444_800_000_000,
} as const;

const BASE64_CHARACTERS = Math.ceil(TRACE_LIMITS.payloadBytes / 3) * 4;

/** Why foreign JSON is not a {@link TraceBody}; undefined if it is one. */
export function traceBodyProblem(value: unknown): string | undefined {
  const { v, frontEnd, messages }: Untrusted = { ...Object(value) };
  if (v !== 1) return 'v must be 1';
  if (!isText(frontEnd, 1, TRACE_LIMITS.frontEndCharacters)) return 'frontEnd must be the name of a front end';
  if (!Array.isArray(messages)) return 'messages must be a list';
  if (messages.length > TRACE_LIMITS.messages) return `messages may have ${TRACE_LIMITS.messages} items at most`;
  for (const [index, message] of messages.entries()) {
    const problem = messageProblem(message);
    if (problem !== undefined) return `messages[${index}].${problem}`;
  }
  return undefined;
}

export function isTraceBody(value: unknown): value is TraceBody {
  return traceBodyProblem(value) === undefined;
}

export function isTraceBatch(value: unknown): value is TraceBatch {
  const { receivedAt }: Untrusted = { ...Object(value) };
  return isTime(receivedAt) && isTraceBody(value);
}

function messageProblem(message: unknown): string | undefined {
  const { callId, at, source, destination, content, point, payload }: Untrusted = { ...Object(message) };
  if (!isText(callId, 1, TRACE_LIMITS.callIdCharacters)) return 'callId must be the id of a call';
  if (!isWhole(at, TRACE_LIMITS.latest)) return 'at must be microseconds since 1970';
  if (!isTracedAddress(source)) return 'source must be an address and a port';
  if (!isTracedAddress(destination)) return 'destination must be an address and a port';
  if (content !== 'sip' && content !== 'rtcp') return 'content must be sip or rtcp';
  if (!isText(point, 0, TRACE_LIMITS.pointCharacters)) return 'point must be the name of a capture point';
  if (!isBase64(payload)) return `payload must be base64 of ${TRACE_LIMITS.payloadBytes} bytes at most`;
  return undefined;
}

function isTracedAddress(value: unknown): value is TracedAddress {
  const { ip, port }: Untrusted = { ...Object(value) };
  return typeof ip === 'string' && isIP(ip) !== 0 && !ip.includes('%') && isWhole(port, 65_535);
}

function isBase64(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > BASE64_CHARACTERS) return false;
  return value.length % 4 === 0 && /^[A-Za-z\d+/]+={0,2}$/.test(value);
}
