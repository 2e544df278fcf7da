import type { Logger } from '@ringdown/observability';
import { FollowedFiles } from '@ringdown/settings';
import type { Server } from 'node:tls';
import { certificate, ownCertificate, type Certificate, type CertificateOptions } from './certificate.js';

export interface WebCertificateOptions extends CertificateOptions {
  readonly logger: Logger;
  readonly pollMs?: number;
}

/**
 * The certificate of the web interface. The operator's own is read again when its files change, so that a renewed one needs no restart; one
 * that is made here is renewed by a start.
 */
export class WebCertificate {
  private constructor(
    private readonly atStart: Certificate,
    private readonly followed: FollowedFiles<Certificate> | undefined,
  ) {}

  /** Throws an Error in one line when a file is missing or wrong. */
  static async open(options: WebCertificateOptions): Promise<WebCertificate> {
    const { certFile, keyFile, logger, pollMs } = options;
    const atStart = await certificate(options);
    if (certFile === undefined || keyFile === undefined) return new WebCertificate(atStart, undefined);
    const read = (): Certificate => ownCertificate({ certFile, keyFile }) ?? atStart;
    return new WebCertificate(atStart, new FollowedFiles({ files: [certFile, keyFile], read, logger, pollMs }));
  }

  get current(): Certificate {
    return this.followed?.current ?? this.atStart;
  }

  /** From now on the server uses renewed files for new connections; open ones go on. */
  follow(server: Pick<Server, 'setSecureContext'>): void {
    this.followed?.onChange(({ cert, key }) => server.setSecureContext({ cert, key }));
  }

  close(): void {
    this.followed?.close();
  }
}
