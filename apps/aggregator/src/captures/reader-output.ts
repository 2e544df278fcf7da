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
    if ('progress' in value) this.progress = progressOf(readerFields(value['progress']));
    else if ('records' in value) this.summary = parseReaderSummary(value);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(line: string): Fields | undefined {
  try {
    return readerFields(JSON.parse(line));
  } catch {
    // A line that the program printed for people.
    return undefined;
  }
}

function readerFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function progressOf({ bytes, packets, records }: Fields): ReaderProgress {
  return { bytes: countOrZero(bytes), packets: countOrZero(packets), records: countOrZero(records) };
}

function parseReaderSummary({ problems, callIds, error, failedRequests, ...counts }: Fields): ReaderSummary {
  const listed = Array.isArray(problems) ? problems.slice(0, MAX_PROBLEMS).map(readerFields) : [];
  return {
    packets: countOrZero(counts['packets']),
    calls: countOrZero(counts['calls']),
    callIds: Array.isArray(callIds) ? callIds.slice(0, MAX_CALL_IDS).filter((id) => typeof id === 'string') : [],
    records: countOrZero(counts['records']),
    recordsFailed: countOrZero(counts['recordsFailed']),
    unreportedCalls: countOrZero(counts['unreportedCalls']),
    uncountedReports: uncountedIn(readerFields(counts['uncountedReports'])),
    unplacedMessages: uncountedIn(readerFields(counts['unplacedMessages'])),
    uncountedRtp: uncountedIn(readerFields(counts['uncountedRtp'])),
    succeededRegistrations: countOrZero(counts['succeededRegistrations']),
    failedRequestsTotal: countOrZero(counts['failedRequestsTotal']),
    failedRequests: Array.isArray(failedRequests) ? failedRequests.slice(0, MAX_FAILURES).map(parseCountedFailure) : [],
    problems: listed.map(unreadOf),
    ...(typeof error === 'string' && { error: error.slice(0, MAX_REASON) }),
  };
}

function uncountedIn(reasons: Fields): Readonly<Record<string, number>> {
  const listed = Object.entries(reasons).slice(0, MAX_REASONS);
  return Object.fromEntries(listed.map(([reason, count]) => [reason.slice(0, MAX_REASON), countOrZero(count)]));
}

function parseCountedFailure(value: unknown): CountedFailure {
  const { method, status, peer, count } = readerFields(value);
  const [methodText = '', statusText = '', peerText = ''] = [method, status, peer].map((text) =>
    String(text).slice(0, MAX_REASON),
  );
  return { method: methodText, status: statusText, peer: peerText, count: countOrZero(count) };
}

function unreadOf({ code, count, reason }: Fields): Unread {
  return {
    code: UNREAD_CODES.find((known) => known === code) ?? 'unreadable-packets',
    count: countOrZero(count),
    reason: String(reason).slice(0, MAX_REASON),
  };
}

function countOrZero(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
