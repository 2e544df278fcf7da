import { Health, Metrics } from '@ringdown/observability';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { Pebble } from '@ringdown/testing/servers/pebble';
import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { AcmeChoice } from '../../src/acme/settings.js';
import { WebCertificate } from '../../src/host/web-certificate.js';

export const HOST = 'uc.example.org';

export interface CertifiedOptions {
  readonly authority: Pebble;
  readonly port: number;
  /** Of the data. */
  readonly folder: string;
  readonly choice?: Partial<AcmeChoice> | undefined;
}

/** A server with a certificate as the system has it, that looks ten times a second whether another is due. */
export class CertifiedServer {
  /** How far its clock is ahead. */
  aheadMs = 0;
  readonly health = new Health();
  readonly metrics = new Metrics();
  private certificate: WebCertificate | undefined;
  private server: Server | undefined;

  private constructor(private readonly options: CertifiedOptions) {}

  static async start(options: CertifiedOptions): Promise<CertifiedServer> {
    const made = new CertifiedServer(options);
    await made.open();
    return made;
  }

  private async open(): Promise<void> {
    const { authority, folder, choice, port } = this.options;
    const acme: AcmeChoice = {
      directory: authority.directory,
      hosts: [HOST],
      challenge: 'tls-alpn-01',
      termsAgreed: true,
      email: undefined,
      ca: readFileSync(authority.caFile, 'utf8'),
      eab: undefined,
      ...choice,
    };
    const certificate = await WebCertificate.open({
      certFile: undefined,
      keyFile: undefined,
      folder: join(folder, 'tls'),
      hosts: [HOST],
      acme,
      logger: quietLogger(),
      metrics: this.metrics,
      health: this.health,
      pollMs: 50,
      tickMs: 100,
      now: () => Date.now() + this.aheadMs,
    });
    const { cert, key } = certificate.current;
    this.server = createServer({ cert, key, ALPNCallback: certificate.challenges?.alpnCallback() });
    certificate.follow(this.server);
    this.certificate = certificate;
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    certificate.start();
  }

  /** Called for each connection of an authority that looks for an answer, before it has it. */
  onChallenge(listener: () => void): void {
    this.server?.on('secureConnection', ({ alpnProtocol }) => {
      if (alpnProtocol === 'acme-tls/1') listener();
    });
  }

  /** What a client gets. */
  async shown(): Promise<X509Certificate> {
    const socket = connect({ port: this.options.port, host: '127.0.0.1', servername: HOST, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    if (certificate === undefined) throw new Error('a server without a certificate');
    return certificate;
  }

  async isIssued(): Promise<boolean> {
    const { subject, issuer } = await this.shown();
    return subject !== issuer;
  }

  /** What readiness says of it: `ok`, or why it is not. */
  async state(): Promise<string> {
    const { parts, ready } = await this.health.report();
    if (!ready) throw new Error('a certificate must not stop anything');
    return parts['certificate'] ?? '';
  }

  failedAttempts(): Promise<number> {
    return this.metrics.total('acme_failed_attempts');
  }

  async stop(): Promise<void> {
    await this.certificate?.close();
    const server = this.server;
    if (server === undefined || !server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}
