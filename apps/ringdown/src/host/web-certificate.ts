import type { Health, Logger, Metrics } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import { X509Certificate } from 'node:crypto';
import { AcmeCertificate, type AcmeCertificateOptions } from '../acme/acme-certificate.js';
import { isOfChallenge, type Challenges } from '../acme/challenges.js';
import type { AcmeChoice } from '../acme/settings.js';
import type { Server } from 'node:tls';
import { acmeFolder, certificate, ownCertificate, type Certificate, type CertificateOptions } from './certificate.js';

export interface WebCertificateOptions extends CertificateOptions, Pick<AcmeCertificateOptions, 'now' | 'tickMs'> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Undefined: none, or the operator's own. */
  readonly acme: AcmeChoice | undefined;
  readonly pollMs?: number;
}

/**
 * The certificate of the web interface. The operator's own is read again when its files change, and so is one that an authority issues, so
 * that a renewed one needs no restart; one that is made here is renewed by a start.
 */
export class WebCertificate {
  private constructor(
    private readonly atStart: Certificate,
    private readonly followed: FollowedFiles<Certificate> | undefined,
    private readonly acme: AcmeCertificate | undefined,
  ) {}

  /** Throws an Error in one line when a file is missing or wrong. */
  static async open(options: WebCertificateOptions): Promise<WebCertificate> {
    const { certFile, keyFile, acme: choice, folder, metrics } = options;
    const atStart = await certificate(options);
    const acme = choice && new AcmeCertificate({ ...options, choice, folder: acmeFolder(folder), first: atStart });
    const read = (): Certificate => {
      if (acme === undefined) return ownCertificate({ certFile, keyFile }) ?? atStart;
      const { cert, key, isIssued } = acme.current;
      return isIssued ? { cert, key } : atStart;
    };
    const files = acme === undefined ? [certFile, keyFile].filter((file) => file !== undefined) : [acme.file];
    const followed = files.length === 0 ? undefined : new FollowedFiles({ ...options, files, read });
    const made = new WebCertificate(atStart, followed, acme);
    made.reportIn(metrics);
    return made;
  }

  get current(): Certificate {
    return this.followed?.current ?? this.atStart;
  }

  /** What an authority asks for; undefined if none is set. */
  get challenges(): Challenges | undefined {
    return this.acme?.challenges;
  }

  /** From now on the server uses renewed files for new connections; open ones go on. */
  follow(server: Server): void {
    this.onChange(({ cert, key }) => server.setSecureContext({ cert, key }));
    if (this.acme === undefined) return;
    server.prependListener('secureConnection', (socket) => {
      if (isOfChallenge(socket)) socket.destroySoon();
    });
  }

  onChange(listener: (certificate: Certificate) => void): void {
    this.followed?.onChange(listener);
  }

  /** Called when the ports are open: an authority looks at them. */
  start(): void {
    this.acme?.start();
  }

  async close(): Promise<void> {
    this.followed?.close();
    await this.acme?.close();
  }

  private reportIn(metrics: Metrics): void {
    const expiresAt = 'When the certificate of the web interface expires, seconds since 1970';
    metrics.observedGauge('certificate_expires_at_seconds', expiresAt, () => {
      return new X509Certificate(this.current.cert).validToDate.getTime() / 1_000;
    });
    const failed = 'Attempts to have a certificate issued that have failed since the last one (ACME_DIRECTORY)';
    metrics.observedGauge('acme_failed_attempts', failed, () => this.acme?.failedAttempts ?? 0);
  }
}
