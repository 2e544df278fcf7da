import type { RawAnswer } from '@ringdown/node-http';
import type { Unreadable } from '@ringdown/node-http/requests';
import { STATUS_CODES } from 'node:http';
import type { ErrorDetails, ErrorRow, ErrorStyle, FaultKind, RenderedError } from './errors.js';
import { faultRow } from './fault-row.js';

/** Error rows for the faults of an interface that answers with problem details (RFC 9457). */
export const problemFaults: Readonly<Record<FaultKind, ErrorRow>> = {
  malformed: faultRow('malformed', 'malformed'),
  'unreadable-body': faultRow('unreadable-body', 'malformed'),
  'invalid-parameter': faultRow('invalid-parameter', 'bad-parameter'),
  unauthorized: faultRow('unauthorized', 'unauthorized'),
  forbidden: { status: 403, code: 'forbidden', message: 'Your roles do not allow this.' },
  'not-found': faultRow('not-found', 'not-found'),
  'method-not-allowed': faultRow('method-not-allowed', 'method-not-allowed'),
  'not-acceptable': faultRow('not-acceptable', 'not-acceptable'),
  timeout: faultRow('timeout', 'timeout'),
  'too-large': faultRow('too-large', 'too-large'),
  'unsupported-media-type': faultRow('unsupported-media-type', 'unsupported-media-type'),
  'too-many-requests': faultRow('too-many-requests', 'too-many-requests'),
  internal: faultRow('internal', 'internal'),
  'not-implemented': faultRow('not-implemented', 'not-implemented'),
  unavailable: faultRow('unavailable', 'unavailable'),
};

const unreadableRows: Readonly<Record<Unreadable, ErrorRow>> = {
  'bad-request': { status: 400, code: 'bad-request', message: 'The request is not valid HTTP.' },
  timeout: problemFaults.timeout,
  'headers-too-large': {
    status: 431,
    code: 'headers-too-large',
    message: 'The head of the request is larger than allowed.',
  },
};

/** Errors as `application/problem+json` (RFC 9457) with a stable `code` and, for 400, the wrong `parameters`. */
export function problemStyle(prefix: string): ErrorStyle {
  return { prefix, faults: problemFaults, render: ({ row, message, details }) => problem(row, message, details) };
}

/** For data that could not be read as a request, so that the interface is not known. */
export function unreadableProblem(unreadable: Unreadable): RawAnswer {
  return uncachedAnswer(unreadableRows[unreadable]);
}

/** For a request with an unknown expectation (RFC 9110, section 10.1.1). */
export const expectationAnswer: RawAnswer = uncachedAnswer({
  status: 417,
  code: 'expectation-failed',
  message: 'The only supported expectation is 100-continue.',
});

/** For a client that uses this server as a proxy. */
export const connectAnswer: RawAnswer = uncachedAnswer(problemFaults['method-not-allowed'], {
  Allow: 'GET, HEAD, POST, PUT, DELETE',
});

/** The path is not known: it may be one of those that no cache may keep. */
function uncachedAnswer(row: ErrorRow, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return { status: row.status, headers: { ...headers, 'Cache-Control': 'no-store' }, ...problem(row, row.message) };
}

function problem(row: ErrorRow, detail: string, { parameters }: ErrorDetails = {}): RenderedError {
  const fields = { title: STATUS_CODES[row.status], status: row.status, code: row.code, detail };
  const body = `${JSON.stringify({ type: 'about:blank', ...fields, ...(parameters && { parameters }) })}\n`;
  return { contentType: 'application/problem+json', body };
}
