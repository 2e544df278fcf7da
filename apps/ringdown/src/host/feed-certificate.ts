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
 * authority.
 */
export function feedCertificate(
  { certFile, keyFile, folder, hasAuthority }: FeedCertificateOptions,
  env: Environment,
): Record<string, string> {
  const isOwn = env['COLLECTOR_TLS_CERT'] !== undefined || env['COLLECTOR_TLS_KEY'] !== undefined;
  if (isOwn || env['COLLECTOR_HTTPS_PORT'] === undefined) return {};
  if (hasAuthority) {
    const { certificate } = new AcmeFiles(acmeFolder(folder));
    return { COLLECTOR_TLS_CERT: certificate, COLLECTOR_TLS_KEY: certificate };
  }
  const made = generatedFiles(folder);
  const authority = certFile === undefined ? { CAPTURE_CA_FILE: made.cert } : {};
  return { COLLECTOR_TLS_CERT: certFile ?? made.cert, COLLECTOR_TLS_KEY: keyFile ?? made.key, ...authority };
}
