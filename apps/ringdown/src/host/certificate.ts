import { errorReason } from '@ringdown/errors';
import { readPem } from '@ringdown/node-http';
import type { Logger } from '@ringdown/observability';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { writeDurably } from '../files/durable-file.js';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** The certificate that a client has to trust; undefined for the operator's own. */
  readonly generated?: string;
}

export interface OwnFiles {
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

export interface CertificateOptions extends OwnFiles {
  /** The folder for a certificate made here. */
  readonly folder: string;
  /** Host names and addresses that clients will connect to. */
  readonly hosts: readonly string[];
  readonly logger: Logger;
}

const VALID_DAYS = 825;

/** The operator's certificate, or one made at first start that lists every name clients will use. */
export async function certificate(options: CertificateOptions): Promise<Certificate> {
  const own = ownCertificate(options);
  if (own !== undefined) return own;
  const { cert, key } = generatedFiles(options.folder);
  const names = namesFor(options.hosts);
  const isPair = isUsablePair(cert, key);
  if (!isPair && existsSync(cert)) options.logger.warn({ file: cert }, DAMAGED_PAIR);
  if (!isPair || !isStillValid(cert, names)) await make(options.folder, cert, key, names);
  else if (new X509Certificate(readFileSync(cert)).ca) options.logger.warn({ file: cert }, OLD_AUTHORITY);
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), generated: cert };
}

/** The operator's certificate, if there is one. Throws an Error in one line that names the settings. */
export function ownCertificate({ certFile, keyFile }: OwnFiles): Certificate | undefined {
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error('TLS_CERT and TLS_KEY must be set together');
  if (certFile === undefined || keyFile === undefined) return undefined;
  const files = { cert: readPem('TLS_CERT', certFile), key: readPem('TLS_KEY', keyFile) };
  try {
    createSecureContext(files);
  } catch (error) {
    throw new Error(`TLS_CERT, TLS_KEY: not a certificate and its key: ${errorReason(error)}`, { cause: error });
  }
  return files;
}

/**
 * Certificates that earlier versions made could sign others. One that clients trust is kept until it expires: after an
 * upgrade, front ends that trust it would otherwise be rejected, and their records lost. Only an operator who can
 * reconfigure the clients should replace it.
 */
const OLD_AUTHORITY =
  'the owner of the key of this certificate can impersonate any host to clients that trust it: remove the file, start ' +
  'again, and let clients trust the new certificate';

const DAMAGED_PAIR =
  'this certificate or its key is damaged, so a new certificate is made here: clients that trusted the old one must trust the new one';

/** The files of a certificate made here. */
export function generatedFiles(folder: string): { readonly cert: string; readonly key: string } {
  return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
}

/** The folder of what an authority has issued, in that of certificates. */
export function acmeFolder(folder: string): string {
  return join(folder, 'acme');
}

function namesFor(hosts: readonly string[]): string[] {
  const all = ['localhost', hostname(), '127.0.0.1', '::1', ...hosts];
  // In origins, IPv6 addresses are in brackets.
  return [...new Set(all.map((name) => name.toLowerCase().replace(/^\[([^\]]*)\]$/, '$1')))];
}

/** False also where an interrupted start has left only a part of them. A file that cannot be read is an error, and is not replaced. */
function isUsablePair(certFile: string, keyFile: string): boolean {
  if (!existsSync(certFile) || !existsSync(keyFile)) return false;
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  try {
    createSecureContext(files);
    return true;
  } catch {
    return false;
  }
}

/** A certificate is kept while it is valid for another month and still lists every name. */
function isStillValid(file: string, names: readonly string[]): boolean {
  const known = new X509Certificate(readFileSync(file));
  const inAMonth = Date.now() + 30 * 86_400_000;
  const lists = (name: string): boolean =>
    (isIP(name) === 0 ? known.checkHost(name) : known.checkIP(name)) !== undefined;
  return known.validToDate.getTime() > inAMonth && names.every(lists);
}

async function make(folder: string, certFile: string, keyFile: string, names: readonly string[]): Promise<void> {
  // 240 modules, which a start with a certificate does not need.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: 'Ringdown' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + VALID_DAYS * 86_400_000),
    extensions: [
      // Its key is on this machine: with a certificate that could sign others, the key could be used to impersonate any
      // host.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) =>
          isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
        ),
      },
    ],
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeDurably(keyFile, made.private);
  writeDurably(certFile, made.cert, 0o644);
}
