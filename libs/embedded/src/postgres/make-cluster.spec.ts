import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCluster } from './make-cluster.js';
import { PostgresHome } from './postgres-home.js';

describe('making the files of PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-cluster-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('names a program that cannot be run', async () => {
    const home = new PostgresHome(join(folder, 'database'));
    home.claim();
    const user = { prefix: [], own: () => undefined };
    const native = join(folder, 'none');
    await expect(makeCluster({ home, native, user, variables: {}, sync: false })).rejects.toThrow(
      `the files of PostgreSQL could not be made: spawn ${join(native, 'bin', 'initdb')} ENOENT`,
    );
  });
});
