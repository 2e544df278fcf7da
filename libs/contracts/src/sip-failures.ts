import { isIP } from 'node:net';
import { isText, isTime, isWhole, type Untrusted } from './foreign-json.js';

/** Stream with reports that the aggregators have not stored yet; a stored report is deleted from it. */
export const SIP_FAILURES_STREAM = 'SIP_FAILURES';

export const SIP_FAILURES_SUBJECT = 'ringdown.sip-failures';

/** The last segment of the path to which senders post reports. */
export const SIP_FAILURES_PATH_END = 'SipFailures';

/** The requests outside of calls that are watched. */
export const WATCHED_METHODS = ['REGISTER', 'OPTIONS', 'MESSAGE', 'SUBSCRIBE'] as const;

/** Beyond the limits of the sender, peers and statuses are counted together under this name. */
export const OTHER = 'other';
/** The status of a request without a response. */
export const NO_RESPONSE = 'none';

/** How often requests of one kind failed. It names no users. */
export interface SipFailureCount {
  readonly method: string;
  /** Of the response; {@link NO_RESPONSE}, or {@link OTHER}. */
  readonly status: string;
  /** IP address of the pinged system (OPTIONS), or of the system that sent the request; or {@link OTHER}. */
  readonly peer: string;
  readonly count: number;
}

/** What a sender posts: the failures since its last report that was answered. */
export interface SipFailureBody {
  readonly v: 1;
  /** The same when it is sent again. */
  readonly id: string;
  readonly frontEnd: string;
  readonly failures: readonly SipFailureCount[];
}

/** What a collector publishes. */
export interface SipFailureReport extends SipFailureBody {
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A sender names at most 1,000 kinds, and one of {@link OTHER} for each method. */
export const SIP_FAILURE_LIMITS = { failures: 1_004, frontEndCharacters: 255, count: 1_000_000_000 } as const;

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Why foreign JSON is not a {@link SipFailureBody}; undefined if it is one. */
export function sipFailureBodyProblem(value: unknown): string | undefined {
  const { v, id, frontEnd, failures }: Untrusted = { ...Object(value) };
  if (v !== 1) return 'v must be 1';
  if (typeof id !== 'string' || !ID.test(id)) return 'id must be a UUID';
  if (!isText(frontEnd, 1, SIP_FAILURE_LIMITS.frontEndCharacters)) return 'frontEnd must be the name of a front end';
  if (!Array.isArray(failures)) return 'failures must be a list';
  const { failures: most } = SIP_FAILURE_LIMITS;
  if (failures.length > most) return `failures may have ${most} items at most`;
  for (const [index, failure] of failures.entries()) {
    const problem = failureProblem(failure);
    if (problem !== undefined) return `failures[${index}].${problem}`;
  }
  return undefined;
}

export function isSipFailureBody(value: unknown): value is SipFailureBody {
  return sipFailureBodyProblem(value) === undefined;
}

export function isSipFailureReport(value: unknown): value is SipFailureReport {
  const { receivedAt }: Untrusted = { ...Object(value) };
  return isTime(receivedAt) && isSipFailureBody(value);
}

function failureProblem(failure: unknown): string | undefined {
  const { method, status, peer, count }: Untrusted = { ...Object(failure) };
  const methods: readonly unknown[] = WATCHED_METHODS;
  if (!methods.includes(method)) return `method must be one of ${WATCHED_METHODS.join(',')}`;
  if (!isStatus(status)) return `status must be a status from 400 to 699, ${NO_RESPONSE} or ${OTHER}`;
  if (!isPeer(peer)) return `peer must be an IP address or ${OTHER}`;
  if (count === 0 || !isWhole(count, SIP_FAILURE_LIMITS.count)) return 'count must be a whole number above 0';
  return undefined;
}

function isStatus(value: unknown): boolean {
  return value === NO_RESPONSE || value === OTHER || (typeof value === 'string' && /^[4-6]\d\d$/.test(value));
}

function isPeer(value: unknown): boolean {
  return value === OTHER || (typeof value === 'string' && isIP(value) !== 0 && !value.includes('%'));
}
