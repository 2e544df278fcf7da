import { quietLogger } from '@ringdown/testing/quiet-logger';
import { eventually } from '@ringdown/testing/eventually';
import { Health, Metrics } from '@ringdown/observability';
import { jest } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { WebCertificate } from './web-certificate.js';

const POLL_MS = 20;

describe('the certificate of the web interface', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-web-tls-'));
  const files = { certFile: join(folder, 'own.pem'), keyFile: join(folder, 'own-key.pem') };
  const logger = quietLogger();
  const error = jest.spyOn(logger, 'error');
  const open: { close(): unknown }[] = [];

  afterAll(async () => {
    for (const each of open) await each.close();
    rmSync(folder, { recursive: true });
  });

  async function pair(): Promise<{ readonly cert: string; readonly key: string; readonly fingerprint: string }> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'uc.example.test' }], {
      keyType: 'ec',
    });
    return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
  }

  /** As clients of ACME do: whole files under another name, then renamed. */
  function write(path: string, content: string): void {
    writeFileSync(`${path}.new`, content);
    renameSync(`${path}.new`, path);
  }

  async function serve(options: Partial<typeof files> = files): Promise<{ server: Server; port: number }> {
    const certificate = await WebCertificate.open({
      certFile: undefined,
      keyFile: undefined,
      ...options,
      folder: join(folder, 'made'),
      hosts: [],
      acme: undefined,
      logger,
      metrics: new Metrics(),
      health: new Health(),
      pollMs: POLL_MS,
    });
    const { cert, key } = certificate.current;
    const server = createServer({ cert, key }, (_request, response) => response.end('well'));
    certificate.follow(server);
    open.push(certificate, { close: () => server.close() });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port }: { port?: number } = Object(server.address());
    return { server, port: port ?? 0 };
  }

  async function handshake(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3'): Promise<TLSSocket> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion });
    open.push({ close: () => socket.destroy() });
    await once(socket, 'secureConnect');
    return socket;
  }

  async function shown(port: number, version?: 'TLSv1.2'): Promise<string | undefined> {
    const socket = await handshake(port, version);
    const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
    socket.destroy();
    return fingerprint;
  }

  it('is the new one for new connections when its files have changed, and open ones go on', async () => {
    const [first, second] = [await pair(), await pair()];
    write(files.keyFile, first.key);
    write(files.certFile, first.cert);
    const { port } = await serve();
    expect(await shown(port)).toBe(first.fingerprint);
    const before = await handshake(port);
    write(files.keyFile, second.key);
    write(files.certFile, second.cert);
    await eventually('the new certificate', async () => (await shown(port)) === second.fingerprint || undefined);
    expect(await shown(port, 'TLSv1.2')).toBe(second.fingerprint);
    const many = await Promise.all(Array.from({ length: 20 }, () => shown(port)));
    expect(new Set(many)).toEqual(new Set([second.fingerprint]));
    before.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(before, 'data');
    expect(String(answer)).toContain('200 OK');
  });

  it('stays the old one, with the reason in the log, until certificate and key belong together', async () => {
    const [first, second] = [await pair(), await pair()];
    write(files.keyFile, first.key);
    write(files.certFile, first.cert);
    const { port } = await serve();
    error.mockClear();
    write(files.certFile, second.cert);
    await eventually('the line in the log', () => error.mock.calls.length > 0 || undefined);
    expect(error.mock.calls[0]?.[0]).toMatchObject({ reason: expect.stringContaining('TLS_CERT, TLS_KEY') });
    expect(await shown(port)).toBe(first.fingerprint);
    write(files.keyFile, second.key);
    await eventually('the new certificate', async () => (await shown(port)) === second.fingerprint || undefined);
  });

  it('stays the old one while a file is away', async () => {
    const first = await pair();
    write(files.keyFile, first.key);
    write(files.certFile, first.cert);
    const { port } = await serve();
    error.mockClear();
    rmSync(files.certFile);
    await eventually('the line in the log', () => error.mock.calls.length > 0 || undefined);
    expect(await shown(port)).toBe(first.fingerprint);
  });

  it('is made here where the operator has none', async () => {
    const { port } = await serve({});
    expect(await shown(port)).toMatch(/^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/);
  });

  it('is not opened with files that are wrong', async () => {
    rmSync(files.keyFile, { force: true });
    await expect(serve()).rejects.toThrow('TLS_');
  });
});
