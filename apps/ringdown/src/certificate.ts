import { readPem } from '@ringdown/http-server';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** What a client has to trust; undefined for a certificate of the operator's own. */
  readonly madeHere?: string;
}

export interface CertificateOptions {
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  /** Where a certificate made here is kept. */
  readonly folder: string;
  /** Host names that clients will ask for. */
  readonly hosts: readonly string[];
}

const VALID_DAYS = 825;

/** The operator's certificate, or one made at first start that lists every name clients will use. */
export async function certificate(options: CertificateOptions): Promise<Certificate> {
  const { certFile, keyFile } = options;
  if ((certFile === undefined) !== (keyFile === undefined)) throw new Error('TLS_CERT and TLS_KEY go together');
  if (certFile !== undefined && keyFile !== undefined) {
    return { cert: readPem('TLS_CERT', certFile), key: readPem('TLS_KEY', keyFile) };
  }
  const { cert, key } = madeFiles(options.folder);
  const names = wantedNames(options.hosts);
  if (!existsSync(key) || !stillGood(cert, names)) await make(options.folder, cert, key, names);
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), madeHere: cert };
}

/** Where a certificate made here is kept. */
export function madeFiles(folder: string): { readonly cert: string; readonly key: string } {
  return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
}

function wantedNames(hosts: readonly string[]): string[] {
  return [...new Set(['localhost', hostname(), ...hosts].map((name) => name.toLowerCase()))];
}

/** A certificate is kept while it is valid for another month and still lists every name. */
function stillGood(file: string, names: readonly string[]): boolean {
  if (!existsSync(file)) return false;
  const known = new X509Certificate(readFileSync(file));
  const inAMonth = Date.now() + 30 * 86_400_000;
  return known.validToDate.getTime() > inAMonth && names.every((name) => known.checkHost(name) !== undefined);
}

async function make(folder: string, certFile: string, keyFile: string, names: readonly string[]): Promise<void> {
  const made = await generate([{ name: 'commonName', value: 'Ringdown' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + VALID_DAYS * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          { type: 7 as const, ip: '127.0.0.1' },
          { type: 7 as const, ip: '::1' },
        ],
      },
    ],
  });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(keyFile, made.private, { mode: 0o600 });
  writeFileSync(certFile, made.cert, { mode: 0o644 });
}
