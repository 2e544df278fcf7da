import type { RawAnswer, Unreadable } from '@ringdown/node-http';
import { STATUS_CODES } from 'node:http';
import type { ErrorDetails, ErrorRow, ErrorStyle, FaultKind, RenderedError } from './errors.js';

/** Error rows for the faults of an interface that answers with problem details (RFC 9457). */
export const problemFaults: Readonly<Record<FaultKind, ErrorRow>> = {
  malformed: { status: 400, code: 'malformed', message: 'The request could not be read.' },
  'unreadable-body': { status: 400, code: 'malformed', message: 'The body could not be read.' },
  'invalid-parameter': { status: 400, code: 'bad-parameter', message: 'A parameter is missing or wrong.' },
  unauthorized: { status: 401, code: 'unauthorized', message: 'A valid access token is required.' },
  forbidden: { status: 403, code: 'forbidden', message: 'Your roles do not allow this.' },
  'not-found': { status: 404, code: 'not-found', message: 'No resource exists at this address.' },
  'method-not-allowed': { status: 405, code: 'method-not-allowed', message: 'This method is not allowed here.' },
  'not-acceptable': {
    status: 406,
    code: 'not-acceptable',
    message: 'None of the accepted media types is supported.',
  },
  timeout: { status: 408, code: 'timeout', message: 'The request took too long to arrive.' },
  'too-large': { status: 413, code: 'too-large', message: 'The request is larger than allowed.' },
  'unsupported-media-type': {
    status: 415,
    code: 'unsupported-media-type',
    message: 'This media type is not supported.',
  },
  'too-many-requests': { status: 429, code: 'too-many-requests', message: 'Too many requests; try again later.' },
  internal: { status: 500, code: 'internal', message: 'An internal error occurred.' },
  'not-implemented': {
    status: 501,
    code: 'not-implemented',
    message: 'This transfer coding is not supported.',
  },
  unavailable: { status: 503, code: 'unavailable', message: 'A required service is not available; try again later.' },
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
  return answerOf(unreadableRows[unreadable]);
}

/** For a request with an unknown expectation (RFC 9110, section 10.1.1). */
export const expectationAnswer: RawAnswer = answerOf({
  status: 417,
  code: 'expectation-failed',
  message: 'The only supported expectation is 100-continue.',
});

/** For a client that uses this server as a proxy. */
export const connectAnswer: RawAnswer = {
  ...answerOf(problemFaults['method-not-allowed']),
  headers: { Allow: 'GET, HEAD, POST, PUT, DELETE' },
};

function answerOf(row: ErrorRow): RawAnswer {
  return { status: row.status, ...problem(row, row.message) };
}

function problem(row: ErrorRow, detail: string, { parameters }: ErrorDetails = {}): RenderedError {
  const fields = { title: STATUS_CODES[row.status], status: row.status, code: row.code, detail };
  const body = `${JSON.stringify({ type: 'about:blank', ...fields, ...(parameters && { parameters }) })}\n`;
  return { contentType: 'application/problem+json', body };
}
