import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMigrations, type Migration } from './migration-files.js';

describe('the reader of migration files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ringdown-migrations-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function readFiles(...names: readonly string[]): Promise<readonly Migration[]> {
    await Promise.all(names.map((name) => writeFile(join(folder, name), `-- ${name}`)));
    return readMigrations(pathToFileURL(`${folder}/`));
  }

  it('finds the migrations of this program, numbered from 1', async () => {
    const migrations = await readMigrations();
    expect(migrations.length).toBeGreaterThanOrEqual(14);
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
    expect(migrations[0]?.sql).toContain('create table calls (');
  });

  it('reads the files in the order of their numbers', async () => {
    expect(await readFiles('0002-b.sql', '0003-a.sql', '0001-c.sql')).toEqual([
      { version: 1, sql: '-- 0001-c.sql' },
      { version: 2, sql: '-- 0002-b.sql' },
      { version: 3, sql: '-- 0003-a.sql' },
    ]);
  });

  it.each([
    ['a missing number', ['0001-a.sql', '0003-c.sql'], '0002-….sql is expected, but the next file is 0003-c.sql'],
    ['a number that is used twice', ['0001-a.sql', '0001-b.sql'], 'the next file is 0001-b.sql'],
    ['a first number other than 1', ['0002-b.sql'], 'the next file is 0002-b.sql'],
    ['a file that is not a migration', ['0001-a.sql', 'notes.txt'], 'the next file is notes.txt'],
  ])('rejects %s', async (_, names, reason) => {
    await expect(readFiles(...names)).rejects.toThrow(reason);
  });
});
