import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daysSinceBackup } from './state.js';

describe('the age of the newest backup', () => {
  let backups: string;
  beforeEach(() => {
    backups = mkdtempSync(join(tmpdir(), 'ringdown-backups-'));
  });
  afterEach(() => rmSync(backups, { recursive: true }));

  function makeBackup(name: string, days: number): void {
    mkdirSync(join(backups, name));
    const manifest = join(backups, name, 'manifest.json');
    writeFileSync(manifest, '{}');
    const then = Date.now() / 1_000 - days * 86_400 - 60;
    utimesSync(manifest, then, then);
  }

  it('is that of its manifest, however new the folder is', () => {
    makeBackup('old', 20);
    makeBackup('newer', 9);
    expect(daysSinceBackup(backups)).toBe(9);
  });

  it('does not count what is no complete backup', () => {
    makeBackup('old', 9);
    makeBackup('2026-11-30.incomplete-a1b2c3', 0);
    mkdirSync(join(backups, 'lost+found'));
    writeFileSync(join(backups, 'backup.log'), '');
    expect(daysSinceBackup(backups)).toBe(9);
  });

  it('is unknown where there is no backup', () => {
    mkdirSync(join(backups, 'empty'));
    expect(daysSinceBackup(backups)).toBeUndefined();
    expect(daysSinceBackup(join(backups, 'missing'))).toBeUndefined();
  });
});
