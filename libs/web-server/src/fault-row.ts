import type { ErrorRow, FaultKind } from './errors.js';

/** What every interface reports about a fault; only the codes differ. */
const FAULTS: Readonly<Record<FaultKind, Pick<ErrorRow, 'status' | 'message'>>> = {
  malformed: { status: 400, message: 'The request could not be read.' },
  'unreadable-body': { status: 400, message: 'The body could not be read.' },
  'invalid-parameter': { status: 400, message: 'A parameter is missing or wrong.' },
  unauthorized: { status: 401, message: 'A valid access token is required.' },
  forbidden: { status: 403, message: 'This is not allowed.' },
  'not-found': { status: 404, message: 'No resource exists at this address.' },
  'method-not-allowed': { status: 405, message: 'This method is not allowed here.' },
  'not-acceptable': { status: 406, message: 'None of the accepted media types is supported.' },
  timeout: { status: 408, message: 'The request took too long to arrive.' },
  'too-large': { status: 413, message: 'The request is larger than allowed.' },
  'unsupported-media-type': { status: 415, message: 'This media type is not supported.' },
  'too-many-requests': { status: 429, message: 'Too many requests; try again later.' },
  internal: { status: 500, message: 'An internal error occurred.' },
  'not-implemented': { status: 501, message: 'This transfer coding is not supported.' },
  unavailable: { status: 503, message: 'A required service is not available; try again later.' },
};

/** The row of an interface for a fault that needs no message of its own. */
export function faultRow(kind: FaultKind, code: string): ErrorRow {
  const { status, message } = FAULTS[kind];
  return { status, code, message };
}
