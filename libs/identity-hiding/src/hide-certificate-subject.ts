import { hiddenMark } from './hide-unknown-words.js';
import { isHost, isMark } from './shapes.js';
import type { UserToken } from './user-token.js';

/** Types of names in a subject (RFC 4514, RFC 4519), in any case: in keys they are in lower case. Other types could be made up. */
const TYPES: ReadonlySet<string> = new Set('cn o ou c l st street dc uid emailaddress serialnumber'.split(' '));
/** Types for names of machines: a single word may be a name of a person. */
const HOST_TYPES: ReadonlySet<string> = new Set(['cn', 'dc']);

/**
 * `CN=fe1.example.test,O=Example`: authorities issue certificates for people as well, so only names of machines are
 * shown.
 */
export function hideCertificateSubject(subject: string, token: UserToken): string {
  return subject
    .split(/([,+])/)
    .map((part, index) => (index % 2 === 1 ? part : hideName(part, token)))
    .join('');
}

function hideName(part: string, token: UserToken): string {
  const equals = part.indexOf('=');
  const type = part.slice(0, Math.max(0, equals));
  const value = part.slice(equals + 1);
  if (!TYPES.has(type.toLowerCase())) return part === '' || isMark(part) ? part : hiddenMark(part, token);
  const isMachine = HOST_TYPES.has(type.toLowerCase()) && /[.\d]/.test(value) && isHost(value);
  return `${type}=${isMachine || isMark(value) ? value : hiddenMark(value, token)}`;
}
