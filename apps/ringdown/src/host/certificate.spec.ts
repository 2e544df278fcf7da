import { quietLogger } from '@ringdown/testing/quiet-logger';
import { jest } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect, createSecureContext, createServer, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { certificate, type CertificateOptions } from './certificate.js';

describe('the certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const options: CertificateOptions = {
    certFile: undefined,
    keyFile: undefined,
    folder,
    hosts: ['uc.example.test', '192.0.2.7'],
    logger: quietLogger(),
  };

  it('is made at first start for every name that clients use, with a key that only this user can read', async () => {
    const made = await certificate(options);
    const read = new X509Certificate(made.cert);
    expect(read.checkHost('uc.example.test')).toBeDefined();
    expect(read.checkHost('localhost')).toBeDefined();
    for (const ip of ['127.0.0.1', '::1', '192.0.2.7']) expect(read.checkIP(ip)).toBeDefined();
    expect(() => createSecureContext(made)).not.toThrow();
    expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600);
  });

  it('stays the same at the next start, and is made again when a name is missing', async () => {
    const first = await certificate(options);
    expect((await certificate(options)).cert).toBe(first.cert);
    const wider = await certificate({ ...options, hosts: ['uc.example.test', 'other.test'] });
    expect(wider.cert).not.toBe(first.cert);
  });

  it.each([
    ['the certificate is empty', 'cert.pem', ''],
    ['the key is empty', 'key.pem', ''],
    ['the key is cut off', 'key.pem', '-----BEGIN PRIVATE KEY-----\nMIGH'],
  ])('is made again, and the log warns the operator, when %s', async (_damage, name, content) => {
    const damaged = mkdtempSync(join(folder, 'damaged-'));
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    const first = await certificate({ ...options, folder: damaged, logger });
    expect(warn).not.toHaveBeenCalled();
    writeFileSync(join(damaged, name), content);
    const made = await certificate({ ...options, folder: damaged, logger });
    expect(made.cert).not.toBe(first.cert);
    expect(() => createSecureContext(made)).not.toThrow();
    expect(warn).toHaveBeenCalledWith({ file: join(damaged, 'cert.pem') }, expect.stringContaining('damaged'));
    expect((await certificate({ ...options, folder: damaged, logger })).cert).toBe(made.cert);
  });

  it('is made again when an interrupted start has left the key of another one', async () => {
    const [damaged, other] = [mkdtempSync(join(folder, 'damaged-')), mkdtempSync(join(folder, 'other-'))];
    const { key } = await certificate({ ...options, folder: other });
    const first = await certificate({ ...options, folder: damaged });
    writeFileSync(join(damaged, 'key.pem'), key);
    const made = await certificate({ ...options, folder: damaged });
    expect(made.cert).not.toBe(first.cert);
    expect(() => createSecureContext(made)).not.toThrow();
  });

  it('is accepted by clients that trust it, and cannot be used to impersonate another host', async () => {
    const made = await certificate(options);
    expect(new X509Certificate(made.cert).ca).toBe(false);
    expect(await certificateRefusal(made, made.cert, 'localhost')).toBeUndefined();
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'bank.test' }], {
      keyType: 'ec',
      ca: made,
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'bank.test' }] }],
    });
    expect(await certificateRefusal({ cert: `${cert}\n${made.cert}`, key }, made.cert, 'bank.test')).toBeDefined();
  });

  it('that was made as an authority is kept for clients that trust it, and the log warns the operator', async () => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'Ringdown' }], {
      keyType: 'ec',
      notAfterDate: new Date(Date.now() + 400 * 86_400_000),
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        {
          name: 'subjectAltName',
          altNames: [
            ...[hostname().toLowerCase(), 'localhost'].map((value) => ({ type: 2 as const, value })),
            ...['127.0.0.1', '::1'].map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    });
    const old = mkdtempSync(join(folder, 'old-'));
    writeFileSync(join(old, 'cert.pem'), cert);
    writeFileSync(join(old, 'key.pem'), key);
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    expect((await certificate({ ...options, hosts: [], folder: old, logger })).cert).toBe(cert);
    expect(warn).toHaveBeenCalledWith({ file: join(old, 'cert.pem') }, expect.stringContaining('remove the file'));
    expect((await certificate({ ...options, hosts: ['new.test'], folder: old, logger })).cert).not.toBe(cert);
  });

  it("is the operator's own when both files are given", async () => {
    const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    expect((await certificate({ ...options, ...files })).generated).toBeUndefined();
    await expect(certificate({ ...options, certFile: 'x' })).rejects.toThrow(
      'TLS_CERT and TLS_KEY must be set together',
    );
    await expect(certificate({ ...options, certFile: '/no/such', keyFile: '/no/such' })).rejects.toThrow(
      'TLS_CERT: ENOENT',
    );
    await expect(certificate({ ...options, ...files, keyFile: files.certFile })).rejects.toThrow(
      'TLS_CERT, TLS_KEY: not a certificate and its key',
    );
  });
});

/**
 * The reason why a client that trusts `ca` rejects this certificate for a host; undefined when the client accepts it.
 */
async function certificateRefusal(
  shown: { cert: string; key: string },
  ca: string,
  host: string,
): Promise<Error | undefined> {
  const server = createServer(shown, (socket) => socket.end()).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => undefined);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client: TLSSocket = connect({ host: '127.0.0.1', port, servername: host, ca });
  try {
    await once(client, 'secureConnect');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    client.destroy();
    server.close();
  }
}
