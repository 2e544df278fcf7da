import { SettingsError } from '@ringdown/settings';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeUpgradeBegun, writeUpgradeComplete } from './data-version.js';
import { refuseForeignData, whyRefused } from './refuse-data.js';
import { isOlderVersion, ownRelease } from './release.js';

const own = { version: '1.2.0', schema: 41, format: 1, upgradesFrom: '1.0.0' };
const older = { version: '1.1.0', schema: 40, format: 1 };
const newer = { version: '1.3.0', schema: 44, format: 1 };

describe('the data of another version', () => {
  it.each([
    ['none', {}],
    ['an older schema', { complete: older }],
    ['a newer version with the same schema', { complete: { ...newer, schema: 41 } }],
    ['an upgrade to this version that was interrupted', { complete: older, upgradingTo: own }],
    ['the oldest version that it upgrades from', { complete: { ...older, version: '1.0.0' } }],
    ['a version before that release', { complete: { ...older, version: '1.0.0-rc.1' } }],
  ])('are used: %s', (_what, found) => {
    expect(whyRefused(found, own)).toBeUndefined();
  });

  it.each([
    [
      'a newer schema',
      { complete: newer },
      'is of Ringdown 1.3.0 (schema 44), and this is 1.2.0 (schema 41): install 1.3.0 or later, or restore a backup of 1.2.0 into another folder',
    ],
    [
      'a newer format',
      { complete: { ...newer, schema: 41, format: 2 } },
      'is of Ringdown 1.3.0 (schema 41, data format 2), and this is 1.2.0 (schema 41, data format 1): install 1.3.0 or later, or restore a backup of 1.2.0 into another folder',
    ],
    [
      'an interrupted upgrade to a newer version',
      { complete: older, upgradingTo: newer },
      'is being upgraded to Ringdown 1.3.0 (schema 44), and this is 1.2.0 (schema 41): install 1.3.0 or later, or restore a backup of 1.2.0 into another folder',
    ],
    [
      'a version that it does not upgrade from',
      { complete: { ...older, version: '0.1.0' } },
      'is of Ringdown 0.1.0, and 1.2.0 upgrades from 1.0.0 or later: install 1.0.0, start it once, and then this version',
    ],
  ])('are refused: %s', (_what, found, words) => {
    expect(whyRefused(found, own)).toBe(words);
  });

  it('name the copy of before, where there is one', () => {
    expect(whyRefused({ complete: newer }, own, '1.2.0')).toBe(
      'is of Ringdown 1.3.0 (schema 44), and this is 1.2.0 (schema 41): install 1.3.0 or later, or go back to the copy of 1.2.0 (npm run downgrade)',
    );
  });

  it.each([
    ['1.0.0', '1.0.1', true],
    ['1.9.0', '1.10.0', true],
    ['2.0.0', '1.10.0', false],
    ['1.0.0', '1.0.0', false],
    ['1.0.0-rc.1', '1.0.0', false],
    ['no version', '1.0.0', true],
  ])('is older: %s than %s, %s', (version, than, isOlder) => {
    expect(isOlderVersion(version, than)).toBe(isOlder);
  });
});

describe('the file with the version of the data', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-version-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function problems(): readonly string[] {
    try {
      refuseForeignData(folder, own);
      return [];
    } catch (error) {
      return error instanceof SettingsError ? error.problems : [`no SettingsError: ${String(error)}`];
    }
  }

  it('may be missing where there are no data, or those of the version before there was one', () => {
    expect(problems()).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(problems()).toEqual([]);
    mkdirSync(join(folder, 'nats'), { recursive: true });
    expect(problems()).toEqual([expect.stringContaining('is of Ringdown 0.1.0, and 1.2.0 upgrades from 1.0.0')]);
  });

  it('names the newer version of an upgrade that has begun, and of one that is complete', () => {
    writeUpgradeComplete(folder, older);
    expect(problems()).toEqual([]);
    writeUpgradeBegun(folder, newer);
    expect(problems()).toEqual([
      expect.stringContaining(`the data folder ${folder} (DATA_DIR) is being upgraded to Ringdown 1.3.0`),
    ]);
    writeUpgradeComplete(folder, newer);
    expect(problems()).toEqual([expect.stringContaining(`the data folder ${folder} (DATA_DIR) is of Ringdown 1.3.0`)]);
    expect(readdirSync(folder)).toEqual(['data-version.json']);
  });

  it('counts also where a restore is complete whose files are not at their places yet', () => {
    mkdirSync(join(folder, 'restored'));
    writeUpgradeComplete(join(folder, 'restored'), newer);
    expect(problems()).toHaveLength(1);
  });

  it.each([
    '',
    '{"format":1,"version":"1.0',
    'null',
    '[]x',
    '{"version":"1.0.0"}',
    '{"version":1,"schema":1,"format":1}',
  ])('is an error, and never a missing one, with the content %j', (content) => {
    writeFileSync(join(folder, 'data-version.json'), content);
    expect(problems()).toEqual([
      expect.stringMatching(
        /data-version\.json does not say which version the data are of \(.+\), and nothing was changed: /,
      ),
    ]);
  });

  it('keeps names of later versions', () => {
    const later = { format: 1, version: '1.1.0', schema: 40, ofLater: '1.1.0', upgradingTo: { ...older, more: 1 } };
    writeFileSync(join(folder, 'data-version.json'), JSON.stringify(later));
    expect(problems()).toEqual([]);
    writeUpgradeComplete(folder, own, { nats: '2.10.27' });
    expect(JSON.parse(readFileSync(join(folder, 'data-version.json'), 'utf8'))).toEqual({
      format: 1,
      version: '1.2.0',
      schema: 41,
      ofLater: '1.1.0',
      nats: '2.10.27',
    });
  });
});

describe('this version', () => {
  it('says which data it reads', () => {
    const release = ownRelease();
    expect(release).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      schema: expect.any(Number),
      format: 1,
      upgradesFrom: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(release.schema).toBeGreaterThanOrEqual(40);
    expect(isOlderVersion(release.version, release.upgradesFrom)).toBe(false);
  });
});
