import type { CountedFailure, PlayedFindings } from '@ringdown/call-capture';
import { MAX_CALL_IDS, type Unread, type UnreadCode } from './capture-report.js';

/** The output of the program that reads captures: lines of JSON, the progress and at the end a summary. */
export interface ReaderProgress {
  /** Read so far, without compression. */
  readonly bytes: number;
  readonly packets: number;
  readonly records: number;
}

export interface ReaderSummary extends PlayedFindings {
  readonly packets: number;
  readonly calls: number;
  /** Of the first calls. */
  readonly callIds: readonly string[];
  readonly records: number;
  readonly recordsFailed: number;
  readonly problems: readonly Unread[];
  /** Why nothing was sent. */
  readonly error?: string;
}

const UNREAD_CODES: readonly UnreadCode[] = [
  'not-a-capture',
  'nothing-to-send',
  'unreadable-packets',
  'unsupported-packets',
];
const MAX_LINE = 1_000_000;
const MAX_PROBLEMS = 50;
const MAX_REASON = 500;
const MAX_REASONS = 20;
const MAX_FAILURES = 50;

export class ReaderOutput {
  progress: ReaderProgress = { bytes: 0, packets: 0, records: 0 };
  summary: ReaderSummary | undefined;
  private rest = '';

  add(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    if (this.rest.length > MAX_LINE) this.rest = '';
    for (const line of lines) this.readLine(line);
  }

  private readLine(line: string): void {
    const value = objectIn(line);
    if (value === undefined) return;
    if ('progress' in value) this.progress = progressOf(fieldsOf(value['progress']));
    else if ('records' in value) this.summary = summaryOf(value);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // A line that the program printed for people.
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function progressOf({ bytes, packets, records }: Fields): ReaderProgress {
  return { bytes: countOf(bytes), packets: countOf(packets), records: countOf(records) };
}

function summaryOf({ problems, callIds, error, failedRequests, ...counts }: Fields): ReaderSummary {
  const listed = Array.isArray(problems) ? problems.slice(0, MAX_PROBLEMS).map(fieldsOf) : [];
  return {
    packets: countOf(counts['packets']),
    calls: countOf(counts['calls']),
    callIds: Array.isArray(callIds) ? callIds.slice(0, MAX_CALL_IDS).filter((id) => typeof id === 'string') : [],
    records: countOf(counts['records']),
    recordsFailed: countOf(counts['recordsFailed']),
    unreportedCalls: countOf(counts['unreportedCalls']),
    uncountedReports: uncountedIn(fieldsOf(counts['uncountedReports'])),
    unplacedMessages: uncountedIn(fieldsOf(counts['unplacedMessages'])),
    uncountedRtp: uncountedIn(fieldsOf(counts['uncountedRtp'])),
    failedRequestsTotal: countOf(counts['failedRequestsTotal']),
    failedRequests: Array.isArray(failedRequests) ? failedRequests.slice(0, MAX_FAILURES).map(failureOf) : [],
    problems: listed.map(unreadOf),
    ...(typeof error === 'string' && { error: error.slice(0, MAX_REASON) }),
  };
}

function uncountedIn(reasons: Fields): Readonly<Record<string, number>> {
  const listed = Object.entries(reasons).slice(0, MAX_REASONS);
  return Object.fromEntries(listed.map(([reason, count]) => [reason.slice(0, MAX_REASON), countOf(count)]));
}

function failureOf(value: unknown): CountedFailure {
  const { method, status, peer, count } = fieldsOf(value);
  const [methodText = '', statusText = '', peerText = ''] = [method, status, peer].map((text) =>
    String(text).slice(0, MAX_REASON),
  );
  return { method: methodText, status: statusText, peer: peerText, count: countOf(count) };
}

function unreadOf({ code, count, reason }: Fields): Unread {
  return {
    code: UNREAD_CODES.find((known) => known === code) ?? 'unreadable-packets',
    count: countOf(count),
    reason: String(reason).slice(0, MAX_REASON),
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
