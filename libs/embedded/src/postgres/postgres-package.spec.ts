import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgresPackage } from './postgres-package.js';

describe('the package with PostgreSQL', () => {
  it('contains the programs for this machine', () => {
    const { native } = findPostgresPackage();
    expect(['initdb', 'postgres'].filter((name) => !existsSync(join(native, 'bin', name)))).toEqual([]);
  });

  it('is reported as missing in one line on a platform that has none', () => {
    expect(() => findPostgresPackage({ platform: 'sunos', arch: 'x64' })).toThrow(
      'no PostgreSQL is packaged for sunos x64: set DATABASE_URL',
    );
  });
});
