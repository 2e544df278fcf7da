import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Texts in PEM format. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority. */
export async function authority(name: string): Promise<KeyPair> {
  return made(name, {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
}

/** A certificate for `localhost` or a front end, self-signed without a `ca`; `notAfter` may be in the past. */
export function signed(name: string, ca?: KeyPair, notAfter?: Date): Promise<KeyPair> {
  return made(name, {
    ...(ca === undefined ? {} : { ca }),
    ...(notAfter === undefined ? {} : { notBeforeDate: new Date(0), notAfterDate: notAfter }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
}

/** Writes `<name>.crt` and `<name>.key`, returns their paths. */
export function writeKeyPair(folder: string, name: string, { cert, key }: KeyPair): KeyPair {
  const files = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

async function made(name: string, options: Parameters<typeof generate>[1]): Promise<KeyPair> {
  const subject = [{ name: 'commonName', value: name }];
  const { cert, private: key } = await generate(subject, { keyType: 'ec', algorithm: 'sha256', ...options });
  return { cert, key };
}
