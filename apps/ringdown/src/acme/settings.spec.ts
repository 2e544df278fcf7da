import { readSettings } from '@ringdown/settings';
import { acmeChoice, acmeSettings, type AcmeChoice } from './settings.js';

const DIRECTORY = 'https://ca.example.org/directory';

function chosen(
  env: Readonly<Record<string, string>>,
  more: { tlsCert?: string; httpPort?: number; names?: readonly string[] } = {},
): AcmeChoice | undefined {
  const { tlsCert, httpPort, names = ['uc.example.org'] } = more;
  return acmeChoice(readSettings(acmeSettings, env), { tlsCert, httpPort, names });
}

describe('the settings of an authority', () => {
  it('choose none without a directory', () => {
    expect(chosen({ ACME_TERMS: 'agreed' })).toBeUndefined();
    expect(() => chosen({ ACME_HOSTS: 'uc.example.org' })).toThrow('ACME_HOSTS needs ACME_DIRECTORY');
  });

  it('have defaults for all but the directory', () => {
    expect(chosen({ ACME_DIRECTORY: DIRECTORY })).toEqual({
      directory: DIRECTORY,
      hosts: ['uc.example.org'],
      challenge: 'tls-alpn-01',
      termsAgreed: false,
      email: undefined,
      ca: undefined,
      eab: undefined,
    });
    expect(chosen({ ACME_DIRECTORY: DIRECTORY }, { httpPort: 80 })?.challenge).toBe('http-01');
  });

  it('leave out addresses and names that no authority certifies, unless an operator names them', () => {
    const names = ['localhost', '192.0.2.7', '[2001:db8::7]', 'pbx', 'UC.example.org', 'uc.example.org'];
    expect(chosen({ ACME_DIRECTORY: DIRECTORY }, { names })?.hosts).toEqual(['uc.example.org']);
    expect(chosen({ ACME_DIRECTORY: DIRECTORY, ACME_HOSTS: 'pbx' }, { names })?.hosts).toEqual(['pbx']);
  });

  it.each([
    [
      'no name',
      {},
      { names: ['localhost'] },
      'ACME_DIRECTORY needs a name to certify: set PUBLIC_ORIGIN, or ACME_HOSTS',
    ],
    ["the operator's own certificate as well", {}, { tlsCert: '/etc/cert.pem' }, 'ACME_DIRECTORY and TLS_CERT exclude'],
    ['http-01 without a port', { ACME_CHALLENGE: 'http-01' }, {}, 'ACME_CHALLENGE=http-01 needs HTTP_PORT'],
    ['half an external account', { ACME_EAB_KEY_ID: 'kid' }, {}, 'ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY must be set'],
    ['authorities that cannot be read', { ACME_CA_FILE: '/no/such' }, {}, 'ACME_CA_FILE: ENOENT'],
    ['a file without authorities', { ACME_CA_FILE: import.meta.filename }, {}, 'contains no certificate'],
  ])('are refused with %s', (_what, env, more, message) => {
    expect(() => chosen({ ACME_DIRECTORY: DIRECTORY, ...env }, more)).toThrow(message);
  });

  it('never show the key of an external account', () => {
    expect(acmeSettings.acmeEabHmacKey.secret).toBe(true);
    const wrong = { ACME_DIRECTORY: DIRECTORY, ACME_EAB_KEY_ID: 'kid', ACME_EAB_HMAC_KEY: '%%%' };
    expect(() => chosen(wrong)).toThrow(/^ACME_EAB_HMAC_KEY must be base64url, as the authority shows it$/);
  });

  it('accept HTTPS and an address alone', () => {
    const contact = { ACME_DIRECTORY: DIRECTORY, ACME_EMAIL: 'Admin <admin@example.org>' };
    expect(() => chosen(contact)).toThrow('ACME_EMAIL must be an e-mail address');
    expect(chosen({ ...contact, ACME_EMAIL: 'admin@example.org' })?.email).toBe('admin@example.org');
    expect(() => chosen({ ACME_DIRECTORY: 'http://ca.example.org' })).toThrow(
      'ACME_DIRECTORY must be a URL like https',
    );
  });
});
