import { closedUnanswered, tlsReason } from './tls-error.js';

function reason(code: string, tls: { readonly cert?: string } = {}): string | undefined {
  return tlsReason(Object.assign(new Error('message of OpenSSL'), { code }), { host: 'c.example', tls });
}

const SHOWN = { cert: 'PEM' };

describe('tlsReason', () => {
  it.each([
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', {}, 'requires a client certificate (SUBMIT_CLIENT_CERT'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', {}, 'perhaps the collector requires a client certificate'],
    [
      'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
      SHOWN,
      'does not accept the certificate in SUBMIT_CLIENT_CERT: it has exp',
    ],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', SHOWN, 'SUBMIT_CLIENT_CERT: its authority is not trusted'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', {}, 'no TLS version that is allowed here'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', SHOWN, 'TLS failed: sslv3 alert handshake failure'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', {}, 'http:// instead of https://?'],
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      {},
      'not trusted (message of OpenSSL): name the certificate of its authority in SUBMIT_CA',
    ],
    ['ERR_TLS_CERT_ALTNAME_INVALID', {}, 'not for c.example but for another host'],
    ['ECONNRESET', SHOWN, 'the collector may not accept the certificate in SUBMIT_CLIENT_CERT'],
  ])('explains %s', (code, tls, words) => {
    expect(reason(code, tls)).toContain(words);
  });

  it('explains an EPROTO error by the name in its message', () => {
    const message =
      'write EPROTO 40:error:0A0003F2:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../x.c:9:\n';
    const error = Object.assign(new Error(message), { code: 'EPROTO' });
    expect(tlsReason(error, { host: 'c.example', tls: SHOWN })).toBe('TLS failed: sslv3 alert handshake failure');
  });

  it('is undefined for an error that is not from TLS', () => {
    expect(reason('ECONNREFUSED')).toBeUndefined();
  });

  it('names the missing setting if the connection was closed', () => {
    expect(closedUnanswered({})).toContain('(SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY)');
  });
});
