import { faultRow, type ErrorRow, type ErrorStyle, type FaultKind } from '@ringdown/web-server/errors';

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
  providerDown: {
    status: 503,
    code: 'temporarily_unavailable',
    message: 'The sign-in provider does not respond; try again shortly, or sign in with your password.',
  },
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
  malformed: faultRow('malformed', 'invalid_request'),
  'unreadable-body': invalidRequest(400, 'The form could not be read.'),
  'invalid-parameter': tokenErrors.invalidRequest,
  unauthorized: invalidRequest(401, 'An access token is required.'),
  forbidden: faultRow('forbidden', 'invalid_request'),
  'not-found': faultRow('not-found', 'invalid_request'),
  'method-not-allowed': invalidRequest(405, 'Tokens are requested by POST.'),
  'not-acceptable': invalidRequest(406, 'The response is JSON.'),
  timeout: faultRow('timeout', 'invalid_request'),
  'too-large': faultRow('too-large', 'invalid_request'),
  'unsupported-media-type': tokenErrors.wrongMediaType,
  'too-many-requests': faultRow('too-many-requests', 'temporarily_unavailable'),
  'not-implemented': faultRow('not-implemented', 'invalid_request'),
  internal: faultRow('internal', 'server_error'),
  unavailable: faultRow('unavailable', 'temporarily_unavailable'),
};

/** Errors of the token service: always JSON, whatever the client accepts, with the code in `error`; `subcode` is ours. */
export function tokenErrorStyle(prefix: string): ErrorStyle {
  return {
    prefix,
    faults,
    render: ({ row, message }) => ({
      contentType: 'application/json',
      body: JSON.stringify({ error: row.code, error_description: message, subcode: row.subcode }),
    }),
  };
}
