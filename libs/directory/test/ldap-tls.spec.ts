import { staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { authenticate } from './authenticate.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { OpenDirectories, settingsFor } from './ldap-under-test.js';

describe('an LDAP directory with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-ldap-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const open = new OpenDirectories();
  let slapd: TestDirectory;

  beforeAll(async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    });
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    slapd = await startSlapd({ entries: staff(20), tls: { certFile, keyFile } });
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
    rmSync(folder, { recursive: true });
  });

  const startTlsUrl = (): string => slapd.url.replace('127.0.0.1', 'localhost');

  it.each<[string, () => string]>([
    ['ldaps', () => slapd.tlsUrl],
    ['StartTLS', startTlsUrl],
  ])('is read and checks passwords over %s', async (_what, url) => {
    const env = { ...settingsFor(url()), DIRECTORY_STARTTLS: 'on', DIRECTORY_CA_FILE: certFile };
    const { directory } = await open.open(env);
    expect(directory.people.all).toHaveLength(20);
    expect(await authenticate(directory, 'p1@example.test', 'password of p1')).toBeDefined();
    expect(await authenticate(directory, 'p1@example.test', 'wrong')).toBeUndefined();
    expect(await authenticate(directory, 'p2@example.test', 'password of p2')).toBeDefined();
  });

  it.each<[string, () => Record<string, string>]>([
    ['ldaps without its certificate', () => ({ DIRECTORY_URL: slapd.tlsUrl })],
    ['StartTLS without its certificate', () => ({ DIRECTORY_URL: startTlsUrl() })],
    [
      'ldaps under another name',
      () => ({ DIRECTORY_URL: slapd.tlsUrl.replace('localhost', '127.0.0.1'), DIRECTORY_CA_FILE: certFile }),
    ],
    ['StartTLS under another name', () => ({ DIRECTORY_URL: slapd.url, DIRECTORY_CA_FILE: certFile })],
  ])('is not trusted over %s: no password is sent', async (_what, env) => {
    const opening = open.open({ ...settingsFor(slapd.url), DIRECTORY_STARTTLS: 'on', ...env() });
    await expect(opening).rejects.toThrow(/certificate|altnames/i);
  });

  it('is not used without encryption unless that is configured', async () => {
    const { DIRECTORY_STARTTLS: _off, ...env } = settingsFor(startTlsUrl());
    await expect(open.open(env)).rejects.toThrow(/certificate/);
  });
});
