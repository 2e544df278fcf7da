import { ResultCodeError } from 'ldapts';
import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { isNativeError } from 'node:util/types';
import { DirectoryUnavailable } from '../people/directory.js';

/** The result codes of RFC 4511 (appendix A) that are distinguished here. */
export const RESULT = {
  timeLimitExceeded: 3,
  sizeLimitExceeded: 4,
  strongerAuthRequired: 8,
  referral: 10,
  adminLimitExceeded: 11,
  unavailableCriticalExtension: 12,
  confidentialityRequired: 13,
  constraintViolation: 19,
  noSuchObject: 32,
  invalidDnSyntax: 34,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  busy: 51,
  unavailable: 52,
  unwillingToPerform: 53,
  other: 80,
} as const;

/** Results about a temporary state of the server, not about the request. */
const TEMPORARY = new Set<number>([RESULT.timeLimitExceeded, RESULT.busy, RESULT.unavailable, RESULT.other]);

/** What the operator should do about a result. */
const ADVICE: Readonly<Record<number, string>> = {
  [RESULT.sizeLimitExceeded]:
    'it returns fewer entries than there are people (size limit); raise the limit of the service account',
  [RESULT.adminLimitExceeded]:
    'it rejects the size of the pages or of the search; lower DIRECTORY_PAGE_SIZE or raise the limit of the service account',
  [RESULT.strongerAuthRequired]: 'it requires TLS; use ldaps:// or DIRECTORY_STARTTLS=on',
  [RESULT.unavailableCriticalExtension]: 'it does not support paged results (RFC 2696), which are required',
  [RESULT.confidentialityRequired]: 'it requires TLS; use ldaps:// or DIRECTORY_STARTTLS=on',
  [RESULT.noSuchObject]: 'an entry that the settings name does not exist, or the service account may not see it',
  [RESULT.invalidDnSyntax]: 'a name in the settings is not a distinguished name',
  [RESULT.invalidCredentials]: 'it rejects the service account (DIRECTORY_BIND_DN, DIRECTORY_BIND_PASSWORD)',
  [RESULT.inappropriateAuthentication]: 'it requires a service account (DIRECTORY_BIND_DN, DIRECTORY_BIND_PASSWORD)',
  [RESULT.insufficientAccessRights]: 'the service account may not read the people',
};

/** The directory has rejected a request, and a retry would not help: the settings or the directory's own are wrong. */
export class DirectoryRequestRejected extends DirectoryUnavailable {}

export function resultCodeOf(error: unknown): number | undefined {
  return error instanceof ResultCodeError ? error.code : undefined;
}

/** Translates the error of a failed ldapts operation. `doing` completes "cannot …". */
export function directoryFailure(operation: string, url: string, cause: unknown): DirectoryUnavailable {
  if (cause instanceof DirectoryUnavailable) return cause;
  const code = resultCodeOf(cause);
  if (code === undefined) {
    const Kind = isUntrusted(cause) ? DirectoryRequestRejected : DirectoryUnavailable;
    return new Kind(`cannot ${operation} at ${url}: ${onOneLine(errorReason(cause))}`, { cause });
  }
  const detail = isNativeError(cause) ? cause.message.replace(/Code: 0x[0-9a-f]+$/, '').trim() : '';
  const result = `result ${code}${detail === '' ? '' : `, "${onOneLine(detail)}"`}`;
  const message = `cannot ${operation} at ${url}: ${ADVICE[code] === undefined ? result : `${ADVICE[code]} (${result})`}`;
  return TEMPORARY.has(code)
    ? new DirectoryUnavailable(message, { cause })
    : new DirectoryRequestRejected(message, { cause });
}

const CERTIFICATE_ERRORS =
  /^(ERR_TLS_|UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_)/;

/** Whether TLS failed because of certificates, and not because of the network. */
function isUntrusted(error: unknown): boolean {
  return CERTIFICATE_ERRORS.test(nodeErrorCode(error) ?? '');
}

function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 200);
}
