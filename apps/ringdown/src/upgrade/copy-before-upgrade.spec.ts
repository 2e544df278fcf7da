import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBeforeUpgrade, roomProblem } from './copy-before-upgrade.js';
import { writeUpgradeBegun, writeUpgradeComplete } from './data-version.js';
import { keptCopies, removeAllCopies, removeOlderCopies } from './kept-copies.js';

const own = { version: '1.2.0', schema: 41, format: 1, upgradesFrom: '1.0.0' };
const older = { version: '1.1.0', schema: 40, format: 1 };

describe('the copy before an upgrade', () => {
  let dataDir: string;
  let printed: string[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'ringdown-upgrade-'));
    printed = [];
    mkdirSync(join(dataDir, 'nats'));
    writeFileSync(join(dataDir, 'nats', 'messages'), 'of 1.1.0');
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  function upgrade(changes: Partial<Parameters<typeof copyBeforeUpgrade>[1]> = {}): Promise<void> {
    const print = (line: string): void => void printed.push(line);
    return copyBeforeUpgrade(dataDir, { own, upgradeCopy: 'on', print, ...changes });
  }

  it.each([
    ['of an older schema', older, '1.1.0'],
    ['of an older format', { version: '1.1.9', schema: 41, format: 0 }, '1.1.9'],
  ])('is made of data %s, and says of which version it is', async (_what, found, version) => {
    writeUpgradeComplete(dataDir, found);
    writeFileSync(join(dataDir, 'running.json'), '{}');
    await upgrade();
    const [copy] = keptCopies(dataDir);
    expect(copy).toMatchObject({
      name: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-from-1\.1\.\d$/),
      version,
    });
    const data = join(dataDir, 'upgrades', copy?.name ?? '', 'data');
    expect(readdirSync(data).toSorted()).toEqual(['data-version.json', 'nats']);
    expect(readFileSync(join(data, 'nats', 'messages'), 'utf8')).toBe('of 1.1.0');
    expect(printed[0]).toBe(`upgrading the data from ${version} to 1.2.0: a copy is kept in ${join(data, '..')}`);
    expect(printed.at(-1)).toMatch(/^[\d.]+ KB in 2 files copied in [\d.]+ s; way back: npm run downgrade$/);
  });

  it('is made of data without a version: those before there was one', async () => {
    await upgrade();
    expect(keptCopies(dataDir)).toEqual([expect.objectContaining({ version: '0.1.0' })]);
  });

  it.each([
    ['the form of the data does not change', { ...older, schema: 41 }, {}],
    ['the operator does not want it', older, { upgradeCopy: 'off' as const }],
    ['there are no data yet', undefined, {}],
  ])('is not made where %s', async (_what, found, changes) => {
    if (found === undefined) rmSync(join(dataDir, 'nats'), { recursive: true });
    else writeUpgradeComplete(dataDir, found);
    await upgrade(changes);
    expect(existsSync(join(dataDir, 'upgrades'))).toBe(false);
    expect(printed).toEqual([]);
  });

  it('is not made a second time when the upgrade was interrupted: what is there is no longer the older version', async () => {
    writeUpgradeComplete(dataDir, older);
    await upgrade();
    writeUpgradeBegun(dataDir, own);
    await upgrade();
    expect(keptCopies(dataDir)).toHaveLength(1);
  });

  it('is not made of a database elsewhere, which is said', async () => {
    writeUpgradeComplete(dataDir, older);
    await upgrade({ databaseUrl: 'postgres://elsewhere' });
    expect(keptCopies(dataDir)).toEqual([]);
    expect(printed).toEqual([
      'upgrading the data from 1.1.0 to 1.2.0, without a copy, because of DATABASE_URL: the way back is a backup that 1.1.0 has made',
    ]);
  });

  it('leaves nothing behind when it is stopped, or was killed', async () => {
    writeUpgradeComplete(dataDir, older);
    await expect(upgrade({ stopping: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
    expect(readdirSync(join(dataDir, 'upgrades'))).toEqual([]);
    mkdirSync(join(dataDir, 'upgrades', '2026-01-01T00-00-00Z-from-1.1.0.incomplete', 'data'), { recursive: true });
    expect(keptCopies(dataDir)).toEqual([]);
    await upgrade();
    expect(readdirSync(join(dataDir, 'upgrades'))).toEqual([keptCopies(dataDir)[0]?.name]);
  });

  it('needs room for itself and a fifth more', () => {
    const needs = (free: number): string | undefined => roomProblem({ dataDir: '/data', own, bytes: 12.6e9, free });
    expect(needs(15.2e9)).toBeUndefined();
    expect(needs(9.1e9)).toBe(
      'the upgrade to 1.2.0 keeps a copy of the data, 12.6 GB, and 9.1 GB are free on the disk of /data (DATA_DIR): make room for 15.1 GB, ' +
        'or make a backup with the version before (npm run backup -- FOLDER) and set UPGRADE_COPY=off',
    );
  });
});

describe('kept copies', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-kept-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('are listed from the newest, without what is none; older ones go when an upgrade is complete', () => {
    for (const [day, version] of [
      ['01', '1.0.0'],
      ['03', '1.2.0'],
      ['02', '1.1.0'],
    ]) {
      const folder = join(dataDir, 'upgrades', `2026-01-${day}T00-00-00Z-from-${version}`);
      mkdirSync(join(folder, 'data'), { recursive: true });
      writeFileSync(
        join(folder, 'copy.json'),
        JSON.stringify({ version, at: `2026-01-${day}T00:00:00.000Z`, bytes: 1 }),
      );
    }
    mkdirSync(join(dataDir, 'upgrades', 'notes of an operator'));
    writeFileSync(join(dataDir, 'upgrades', 'list.txt'), '');
    expect(keptCopies(dataDir).map(({ version }) => version)).toEqual(['1.2.0', '1.1.0', '1.0.0']);
    removeOlderCopies(dataDir);
    expect(keptCopies(dataDir).map(({ version }) => version)).toEqual(['1.2.0']);
    expect(readdirSync(join(dataDir, 'upgrades'))).toHaveLength(3);
    removeAllCopies(dataDir);
    expect(keptCopies(dataDir)).toEqual([]);
  });
});
