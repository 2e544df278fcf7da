import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBeforeUpgrade } from './copy-before-upgrade.js';
import { CLAIM_FILES } from '../running-system.js';
import { readDataVersion, writeUpgradeComplete } from './data-version.js';
import { downgrade } from './downgrade.js';
import { runDowngrade } from './downgrade-command.js';
import { refuseForeignData } from './refuse-data.js';

const own = { version: '1.2.0', schema: 41, format: 1, upgradesFrom: '1.0.0' };
const older = { version: '1.1.0', schema: 40, format: 1 };

/** The content of all files, by path, but for what each claim of the folder leaves. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.filter(({ name }) => !CLAIM_FILES.includes(name));
  const paths = names.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

describe('a downgrade', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-downgrade-'));
  const upgraded = join(folder, 'upgraded');
  let dataDir: string;
  let tries = 0;

  beforeAll(async () => {
    for (const name of ['nats', 'database']) {
      mkdirSync(join(upgraded, name), { recursive: true });
      writeFileSync(join(upgraded, name, 'file'), `${name} of 1.1.0`);
    }
    writeFileSync(join(upgraded, 'identity-seed'), 'seed');
    writeUpgradeComplete(upgraded, older);
    await copyBeforeUpgrade(upgraded, { own, upgradeCopy: 'on', print: () => undefined });
    for (const name of ['nats', 'database', 'photos']) {
      mkdirSync(join(upgraded, name), { recursive: true });
      writeFileSync(join(upgraded, name, 'file'), `${name} of 1.2.0`);
    }
    writeUpgradeComplete(upgraded, own);
  });
  beforeEach(() => {
    dataDir = join(folder, `try-${tries++}`);
    cpSync(upgraded, dataDir, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function expectDowngraded(): void {
    const { upgrades: _kept, ...content } = Object.groupBy(Object.entries(contentOf(dataDir)), ([path]) =>
      path.startsWith('upgrades/') ? 'upgrades' : path,
    );
    const found = Object.fromEntries(Object.values(content).flatMap((entries) => entries ?? []));
    expect(found).toEqual({
      'nats/file': 'nats of 1.1.0',
      'database/file': 'database of 1.1.0',
      'identity-seed': 'seed',
      'data-version.json': expect.stringContaining('"heldFor":"1.1.0"'),
    });
    expect(readDataVersion(dataDir)).toEqual({ complete: older, heldFor: '1.1.0' });
    const [undone = '', ...others] = readdirSync(join(dataDir, 'upgrades'));
    expect(others).toEqual([]);
    expect(contentOf(join(dataDir, 'upgrades', undone))).toMatchObject({
      'nats/file': 'nats of 1.2.0',
      'photos/file': 'photos of 1.2.0',
      'identity-seed': 'seed',
    });
  }

  it('puts back what was there before the upgrade, and keeps what came since', async () => {
    const { version, undone } = await downgrade(dataDir);
    expect(version).toBe('1.1.0');
    expect(existsSync(undone)).toBe(true);
    expectDowngraded();
  });

  it('is ended by the next one wherever it was interrupted, and nothing starts before', async () => {
    let interruptions = 0;
    for (let at = 0; ; at++) {
      rmSync(dataDir, { recursive: true });
      cpSync(upgraded, dataDir, { recursive: true });
      let moved = 0;
      const ended = await downgrade(dataDir, (from, to) => {
        if (moved++ === at) throw new Error('power is lost');
        renameSync(from, to);
      }).catch((error: Error) => error.message);
      if (ended !== 'power is lost') break;
      interruptions++;
      expect(() => refuseForeignData(dataDir, own)).toThrow(
        `a downgrade of the data folder ${dataDir} (DATA_DIR) was interrupted: end it first (npm run downgrade)`,
      );
      await expect(runDowngrade(dataDir, ['--forget'])).rejects.toThrow('a downgrade was interrupted: end it first');
      await downgrade(dataDir);
      expectDowngraded();
    }
    // Five entries are put away, four are put back.
    expect(interruptions).toBe(9);
  });

  it('holds the data for the older version until the upgrade is allowed again', async () => {
    await downgrade(dataDir);
    expect(() => refuseForeignData(dataDir, { ...older, upgradesFrom: '1.0.0' })).not.toThrow();
    expect(() => refuseForeignData(dataDir, own)).toThrow(
      'was put back for Ringdown 1.1.0, and 1.2.0 would upgrade it: install 1.1.0, or allow the upgrade again (npm run downgrade -- --allow-upgrade)',
    );
    // The older version has run meanwhile.
    writeUpgradeComplete(dataDir, older, { nats: '2.10.1' });
    expect(() => refuseForeignData(dataDir, own)).toThrow('was put back');
    await runDowngrade(dataDir, ['--allow-upgrade']);
    expect(() => refuseForeignData(dataDir, own)).not.toThrow();
  });

  it('is refused without a copy, which names the other way', async () => {
    rmSync(join(dataDir, 'upgrades'), { recursive: true });
    const before = contentOf(dataDir);
    await expect(runDowngrade(dataDir, [])).rejects.toThrow(
      `there is no copy of an older version in ${join(dataDir, 'upgrades')}: "npm run restore -- FOLDER" of that version takes a backup that it has made`,
    );
    expect(contentOf(dataDir)).toEqual(before);
  });

  it('says before what it would do, and changes nothing', async () => {
    const before = contentOf(dataDir);
    expect(await runDowngrade(dataDir, ['--check'])).toMatch(
      /^the data of \S+ would become those of Ringdown 1\.1\.0 in \S+-from-1\.1\.0 \(made at \d{4}\S+Z, [\d.]+ KB\); what came since would be kept beside them\n$/,
    );
    expect(contentOf(dataDir)).toEqual(before);
  });

  it('forgets all copies when it is told to', async () => {
    expect(await runDowngrade(dataDir, ['--forget'])).toMatch(/^deleted: \S+-from-1\.1\.0\n$/);
    expect(existsSync(join(dataDir, 'upgrades'))).toBe(false);
    expect(await runDowngrade(dataDir, ['--forget'])).toBe(`nothing was kept in ${dataDir}\n`);
  });

  it.each([
    [['--chek'], /Unknown option '--chek'/],
    [['--check', '--forget'], /give one option at a time/],
    [['1.0.0'], /Unexpected argument '1\.0\.0'/],
  ])('refuses %j', async (args, words) => {
    await expect(runDowngrade(dataDir, args)).rejects.toThrow(words);
  });
});
