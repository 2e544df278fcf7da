import { errorReason } from '@ringdown/errors';
import { SettingsError } from '@ringdown/settings';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file and the setting that names it. */
export interface NamedFile {
  readonly setting: string;
  readonly file: string;
}

/** Throws `SettingsError`. */
export function readPemFile({ setting, file }: NamedFile): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = errorReason(error);
    throw new SettingsError([`${setting} cannot be read: ${reason}`]);
  }
  if (!text.includes('-----BEGIN ')) throw new SettingsError([`${setting}: ${file} contains no PEM data`]);
  return text;
}

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate and its key. `mustBeValid`: reject an expired certificate. Throws `SettingsError`. */
export function readKeyPair(cert: NamedFile, key: NamedFile, { mustBeValid = false } = {}): KeyPair {
  const pair = { cert: readPemFile(cert), key: readPemFile(key) };
  const certificate = certificateIn(cert, pair.cert);
  const privateKey = orSettingsError(key, 'no readable key; keys with a passphrase are not supported', () =>
    createPrivateKey(pair.key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new SettingsError([`${key.setting}: ${key.file} is not the key of the certificate in ${cert.setting}`]);
  }
  if (mustBeValid) checkValidity(cert, certificate);
  return pair;
}

/** The first certificate. Throws `SettingsError`. */
export function certificateIn(named: NamedFile, pem: string): X509Certificate {
  return orSettingsError(named, 'no readable certificate', () => new X509Certificate(pem));
}

function checkValidity({ setting, file }: NamedFile, certificate: X509Certificate): void {
  const now = Date.now();
  const { validFrom, validTo } = certificate;
  const fault = now < Date.parse(validFrom) ? `is not valid before ${validFrom}` : `expired on ${validTo}`;
  if (now < Date.parse(validFrom) || now > Date.parse(validTo)) {
    throw new SettingsError([`${setting}: the certificate in ${file} ${fault}`]);
  }
}

function orSettingsError<T>({ setting, file }: NamedFile, what: string, read: () => T): T {
  try {
    return read();
  } catch {
    // The message of OpenSSL would not help an operator.
    throw new SettingsError([`${setting}: ${file} contains ${what}`]);
  }
}
