import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';

/** PEM texts. `ca`: the authority of the collector's certificate, if it is not one that Node trusts. */
export interface CollectorTls {
  readonly ca?: string;
  /** Certificates of which the collector must have one, whatever names and authority that has. */
  readonly pinned?: string;
  /** The client certificate of the sender. */
  readonly cert?: string;
  readonly key?: string;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates of a PEM text, each as PEM. */
export function certificatesIn(pem: string): readonly string[] {
  return pem.match(CERTIFICATE) ?? [];
}

/** What `tls.connect` is given besides the address. */
export function tlsOptions({ pinned, ...options }: CollectorTls): ConnectionOptions {
  if (pinned === undefined) return options;
  const certificates = certificatesIn(pinned).map((each) => new X509Certificate(each));
  const fingerprints = new Set(certificates.map(({ fingerprint256 }) => fingerprint256));
  return {
    ...options,
    // Of two authorities with one name, OpenSSL may try the wrong one.
    ca: certificates.filter((each) => !hasIssuedOneOf(certificates, each)).map(String),
    // They are trusted by themselves: the certificate of an authority need not be among them.
    allowPartialTrustChain: true,
    // A certificate that one of them has signed is trusted as well so far.
    checkServerIdentity: (_host, { fingerprint256 }) =>
      fingerprints.has(fingerprint256) ? undefined : new NotPinned('the certificate is not one of those pinned'),
  };
}

function hasIssuedOneOf(certificates: readonly X509Certificate[], authority: X509Certificate): boolean {
  return certificates.some(
    (each) => each !== authority && each.checkIssued(authority) && each.verify(authority.publicKey),
  );
}

/** The certificate of the collector is another one than it has to be. */
export class NotPinned extends Error {
  override readonly name = 'NotPinned';
}
