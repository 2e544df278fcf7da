import { errorReason } from '@ringdown/errors';
import { readPem } from '@ringdown/node-http';
import type { Logger } from '@ringdown/observability';
import { FollowedFiles, SettingsError, type SettingValues } from '@ringdown/settings';
import { createSecureContext, type Server, type SecureContextOptions } from 'node:tls';
import type { tlsSettings } from '../settings.js';

type TlsFiles = Required<Pick<SecureContextOptions, 'cert' | 'key'>> & Pick<SecureContextOptions, 'ca'>;

/**
 * Certificate and key of the feed, and the CA of front ends' certificates; renewed files are used without a restart.
 */
export class FeedTls {
  /** Whether front ends must present a certificate. */
  readonly requiresCertificates: boolean;
  private readonly followed: FollowedFiles<TlsFiles>;

  /** Throws an Error in one line when a file is missing or wrong. */
  constructor(settings: SettingValues<typeof tlsSettings>, logger: Logger, pollMs?: number) {
    const { tlsCert, tlsKey, clientCa } = settings;
    if (tlsCert === undefined || tlsKey === undefined) {
      throw new SettingsError(['COLLECTOR_HTTPS_PORT needs COLLECTOR_TLS_CERT and COLLECTOR_TLS_KEY']);
    }
    this.requiresCertificates = clientCa !== undefined;
    this.followed = new FollowedFiles({
      files: [tlsCert, tlsKey, ...(clientCa === undefined ? [] : [clientCa])],
      read: () => readTlsFiles(tlsCert, tlsKey, clientCa),
      logger,
      pollMs,
    });
  }

  get files(): TlsFiles {
    return this.followed.current;
  }

  /** From now on the server uses renewed files for new connections. */
  follow(server: Server): void {
    this.followed.onChange((files) => server.setSecureContext(files));
  }

  close(): void {
    this.followed.close();
  }
}

/** Throws an Error in one line that names the settings. */
export function readTlsFiles(certFile: string, keyFile: string, caFile: string | undefined): TlsFiles {
  const files = {
    cert: readPem('COLLECTOR_TLS_CERT', certFile),
    key: readPem('COLLECTOR_TLS_KEY', keyFile),
    ...(caFile === undefined ? {} : { ca: readClientCa(caFile) }),
  };
  try {
    createSecureContext(files);
  } catch (error) {
    const names = ['COLLECTOR_TLS_CERT', 'COLLECTOR_TLS_KEY', ...(caFile === undefined ? [] : ['COLLECTOR_CLIENT_CA'])];
    throw new Error(`${names.join(', ')}: not a certificate and its key: ${errorReason(error)}`, { cause: error });
  }
  return files;
}

/** Throws an Error in one line that names the setting. */
export function readClientCa(file: string): string {
  const ca = readPem('COLLECTOR_CLIENT_CA', file);
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error(`COLLECTOR_CLIENT_CA: ${file} does not contain a certificate`);
  return ca;
}
