import type { ErrorRow, ErrorStyle, FaultKind } from '@ringdown/web-server';

/** No cache may store a response of the token service. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** The error codes of the token service (RFC 6749, section 5.2; web-interface.md, section 2). */
export const tokenErrors = {
  invalidRequest: { status: 400, code: 'invalid_request', message: 'A parameter is missing or malformed.' },
  invalidGrant: { status: 400, code: 'invalid_grant', message: 'The username or the password is wrong.' },
  unsupportedGrantType: { status: 400, code: 'unsupported_grant_type', message: 'This grant type is not supported.' },
  invalidScope: { status: 400, code: 'invalid_scope', message: 'The only scope is "all".' },
  wrongMediaType: {
    status: 415,
    code: 'invalid_request',
    message: 'The parameters are expected as application/x-www-form-urlencoded or multipart/form-data.',
  },
  busy: { status: 503, code: 'temporarily_unavailable', message: 'Too many sign-ins at once; try again shortly.' },
  directoryDown: {
    status: 503,
    code: 'temporarily_unavailable',
    message: 'The user directory does not respond; try again shortly.',
  },
} as const satisfies Record<string, ErrorRow>;

/** The numbers of the deployed server: one for a grant that it does not support, one for invalid credentials. */
export function diagnosisNumber(row: ErrorRow): number {
  return row === tokenErrors.unsupportedGrantType ? 28_029 : 28_020;
}

function invalidRequest(status: number, message: string): ErrorRow {
  return { status, code: 'invalid_request', message };
}

const faults: Readonly<Record<FaultKind, ErrorRow>> = {
  malformed: invalidRequest(400, 'The request could not be read.'),
  'unreadable-body': invalidRequest(400, 'The form could not be read.'),
  'invalid-parameter': tokenErrors.invalidRequest,
  unauthorized: invalidRequest(401, 'An access token is required.'),
  forbidden: invalidRequest(403, 'This is not allowed.'),
  'not-found': invalidRequest(404, 'No resource exists at this address.'),
  'method-not-allowed': invalidRequest(405, 'Tokens are requested by POST.'),
  'not-acceptable': invalidRequest(406, 'The response is JSON.'),
  timeout: invalidRequest(408, 'The request took too long to arrive.'),
  'too-large': invalidRequest(413, 'The request is larger than allowed.'),
  'unsupported-media-type': tokenErrors.wrongMediaType,
  'too-many-requests': { status: 429, code: 'temporarily_unavailable', message: 'Too many requests; try again later.' },
  'not-implemented': invalidRequest(501, 'This transfer coding is not supported.'),
  internal: { status: 500, code: 'server_error', message: 'An internal error occurred.' },
  unavailable: {
    status: 503,
    code: 'temporarily_unavailable',
    message: 'A required service is not available; try again later.',
  },
};

/** Errors of the token service: always JSON, whatever the client accepts, with the code in `error`. */
export function tokenErrorStyle(prefix: string): ErrorStyle {
  return {
    prefix,
    faults,
    render: ({ row, message }) => ({
      contentType: 'application/json',
      body: JSON.stringify({ error: row.code, error_description: message }),
    }),
  };
}
