import { nodeErrorCode } from '@ringdown/errors';
import type { PeerCertificate } from 'node:tls';
import { NotPinned, type CollectorTls } from './collector-tls.js';
import { isConnectionLoss } from './connection-error.js';

/** The host of a TLS connection, and the certificates used for it. */
export interface TlsAttempt {
  readonly host: string;
  readonly tls: CollectorTls;
}

const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED)$/;
/** Errors of OpenSSL when the port uses another protocol. */
const NOT_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE)$/;
/** RFC 8446, 6.2, by a part of the alert's name. */
const ALERTS: readonly (readonly [name: string, why: string])[] = [
  ['CERTIFICATE_EXPIRED', 'it has expired'],
  ['CERTIFICATE_REVOKED', 'it was revoked'],
  ['UNKNOWN_CA', 'its authority is not trusted'],
  ['UNSUPPORTED_CERTIFICATE', 'its type is not supported'],
  ['BAD_CERTIFICATE', 'it is damaged or was not issued for this purpose'],
  ['CERTIFICATE_UNKNOWN', 'no reason given'],
  ['ACCESS_DENIED', 'access denied'],
];

/**
 * Why the TLS connection to a collector failed, in words for an operator and with the setting that helps. Undefined if
 * the reason is not TLS.
 */
export function tlsReason(error: Error, { host, tls }: TlsAttempt): string | undefined {
  const code = opensslCode(error);
  if (isConnectionLoss(error)) return closedUnanswered(tls);
  if (code === 'CERT_HAS_EXPIRED') return 'the certificate of the collector has expired: renew it';
  if (code === 'CERT_NOT_YET_VALID') {
    return 'the certificate of the collector is not valid yet: is the clock of this machine right?';
  }
  if (error instanceof NotPinned || (tls.pinned !== undefined && UNTRUSTED.test(code))) {
    return 'the collector does not have the certificate in SUBMIT_PINNED_CERT: was it renewed?';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return nameMismatch(error, host);
  if (UNTRUSTED.test(code)) {
    return `the certificate of the collector is not trusted (${error.message.split(';', 1)[0]}): name the certificate of its authority in SUBMIT_CA_FILE`;
  }
  if (NOT_TLS.test(code))
    return 'the port does not use TLS: should the address begin with http:// instead of https://?';
  return alertReason(code, tls) ?? (code.startsWith('ERR_SSL_') ? `TLS failed: ${readableCode(code)}` : undefined);
}

/** Some collectors close the connection without an alert when they do not accept a certificate. */
export function closedUnanswered({ cert }: CollectorTls): string {
  const want =
    cert === undefined
      ? 'the collector may require a client certificate (SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY), or not use TLS'
      : 'the collector may not accept the certificate in SUBMIT_CLIENT_CERT: is it still valid, and is its authority trusted there?';
  return `the connection was closed before an answer; ${want}`;
}

/** An error during a write has the name of OpenSSL only in its message. */
function opensslCode(error: Error): string {
  const code = nodeErrorCode(error) ?? '';
  if (code !== 'EPROTO') return code;
  const words = /SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1] ?? 'unknown';
  return `ERR_SSL_${words.toUpperCase().replaceAll(' ', '_')}`;
}

function nameMismatch(error: Error, host: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Node adds to this error, as far as it does
  const { cert } = error as { readonly cert?: Partial<PeerCertificate> };
  const names = cert?.subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '') ?? 'another host';
  return `the certificate of the collector is not for ${host} but for ${names}: use one of its names as the address`;
}

function alertReason(code: string, { cert }: CollectorTls): string | undefined {
  if (!code.includes('_ALERT_')) return undefined;
  const wanted = 'the collector requires a client certificate (SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY)';
  if (code.endsWith('CERTIFICATE_REQUIRED')) return wanted;
  if (code.endsWith('PROTOCOL_VERSION')) return 'the collector supports no TLS version that is allowed here';
  if (code.endsWith('HANDSHAKE_FAILURE') && cert === undefined) return `TLS failed; perhaps ${wanted}`;
  const why = ALERTS.find(([name]) => code.endsWith(name))?.[1];
  return why === undefined || cert === undefined
    ? undefined
    : `the collector does not accept the certificate in SUBMIT_CLIENT_CERT: ${why}`;
}

function readableCode(code: string): string {
  return code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ');
}
