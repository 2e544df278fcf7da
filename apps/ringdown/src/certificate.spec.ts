import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { certificate, type CertificateOptions } from './certificate.js';

describe('the certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const options: CertificateOptions = { certFile: undefined, keyFile: undefined, folder, hosts: ['uc.example.test'] };

  it('is made at first start for every name that clients use, with a key for this user alone', async () => {
    const made = await certificate(options);
    const read = new X509Certificate(made.cert);
    expect(read.checkHost('uc.example.test')).toBeDefined();
    expect(read.checkHost('localhost')).toBeDefined();
    expect(read.checkIP('127.0.0.1')).toBeDefined();
    expect(() => createSecureContext(made)).not.toThrow();
    expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600);
  });

  it('stays the same at the next start, and is made anew when a name is missing', async () => {
    const first = await certificate(options);
    expect((await certificate(options)).cert).toBe(first.cert);
    const wider = await certificate({ ...options, hosts: ['uc.example.test', 'other.test'] });
    expect(wider.cert).not.toBe(first.cert);
  });

  it("is the operator's own when both files are given", async () => {
    const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    expect((await certificate({ ...options, ...files })).madeHere).toBeUndefined();
    await expect(certificate({ ...options, certFile: 'x' })).rejects.toThrow('TLS_CERT and TLS_KEY go together');
    await expect(certificate({ ...options, certFile: '/no/such', keyFile: '/no/such' })).rejects.toThrow(
      'TLS_CERT: ENOENT',
    );
  });
});
