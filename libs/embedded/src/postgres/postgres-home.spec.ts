import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresHome } from './postgres-home.js';

describe('the folder of a PostgreSQL', () => {
  const parent = mkdtempSync(join(tmpdir(), 'ringdown-home-'));
  afterAll(() => rmSync(parent, { recursive: true }));

  it('is made for this user alone', () => {
    const home = new PostgresHome(join(parent, 'new', 'database'));
    expect(home.claim()?.uid).toBe(process.getuid?.());
    expect(statSync(home.folder).mode & 0o777).toBe(0o700);
  });

  it('is left to its owner, who is named in one line', () => {
    const folder = join(parent, 'foreign');
    mkdirSync(folder);
    const { uid } = statSync(folder);
    expect(() => new PostgresHome(folder).claim(4711)).toThrow(
      `the folder of the database ${folder} belongs to user ${uid}, not to 4711: start as that user, or give it to this one (chown -R)`,
    );
    expect(new PostgresHome(folder).claim(0)?.uid).toBe(uid);
  });

  it('is reported in one line when it cannot be written', () => {
    writeFileSync(join(parent, 'file'), '');
    expect(() => new PostgresHome(join(parent, 'file', 'database')).claim()).toThrow(
      /^the folder of the database \S+ cannot be written: ENOTDIR[^\n]*$/,
    );
  });
});
