import type { Environment } from '@ringdown/settings';
import { AcmeFiles } from '../acme/acme-files.js';
import { acmeFolder, generatedFiles, type OwnFiles } from './certificate.js';

export interface FeedCertificateOptions extends OwnFiles {
  /** Of certificates that are made here, or issued by an authority. */
  readonly folder: string;
  readonly hasAuthority: boolean;
}

/**
 * Settings for the feed: it uses the certificate of the web interface, unless it has its own. A certificate that was made here is its own
 * authority. Uploads know the feed by the certificate itself, which need not name this machine.
 */
export function feedCertificate(options: FeedCertificateOptions, env: Environment): Record<string, string> {
  if (env['COLLECTOR_HTTPS_PORT'] === undefined) return {};
  const { COLLECTOR_TLS_CERT: own, COLLECTOR_TLS_KEY: ownKey } = env;
  const isShared = own === undefined && ownKey === undefined;
  const files = sharedFiles(options);
  const isPinned = env['CAPTURE_COLLECTOR'] === undefined && env['COLLECTOR_PLAIN_HTTP'] === 'off';
  return {
    ...(isShared && { COLLECTOR_TLS_CERT: files.cert, COLLECTOR_TLS_KEY: files.key }),
    ...(isShared && files.isMade && { CAPTURE_CA_FILE: files.cert }),
    ...(isPinned && { CAPTURE_PINNED_CERT: own ?? files.cert }),
  };
}

interface SharedFiles {
  readonly cert: string;
  readonly key: string;
  /** Whether it was made here. */
  readonly isMade: boolean;
}

/** The certificate of the web interface. */
export function sharedFiles({ certFile, keyFile, folder, hasAuthority }: FeedCertificateOptions): SharedFiles {
  if (hasAuthority) {
    const { certificate } = new AcmeFiles(acmeFolder(folder));
    return { cert: certificate, key: certificate, isMade: false };
  }
  const made = generatedFiles(folder);
  return { cert: certFile ?? made.cert, key: keyFile ?? made.key, isMade: certFile === undefined };
}
