import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** `days`: when it becomes valid and when it expires, from now. `ca`: its authority; left out: it is self-signed. */
export async function certificate(
  name: string,
  days: readonly [number, number] = [-1, 1],
  ca?: Certificate,
): Promise<Certificate> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] }];
  const [notBeforeDate, notAfterDate] = days.map((each) => new Date(Date.now() + each * 86_400_000));
  const validity = { ...(notBeforeDate && { notBeforeDate }), ...(notAfterDate && { notAfterDate }) };
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    // SHA-1 otherwise, which no authority may sign with any more.
    algorithm: 'sha256',
    extensions,
    ...validity,
    ...(ca && { ca }),
  });
  return { cert, key };
}

/** What signs others. */
export async function authority(): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return { cert, key };
}

/** As `NAME.crt` and `NAME.key`. */
export function writeCertificate(
  folder: string,
  name: string,
  { cert, key }: Certificate,
): [cert: string, key: string] {
  const files: [string, string] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  writeFileSync(files[0], cert);
  writeFileSync(files[1], key);
  return files;
}
