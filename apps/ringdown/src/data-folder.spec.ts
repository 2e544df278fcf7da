import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolder } from './data-folder.js';

describe('a secret of the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-data-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is generated once, long and random, and readable only by its owner', () => {
    const data = DataFolder.open(folder);
    const secret = data.secret('identity-seed');
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(data.secret('identity-seed')).toBe(secret);
    expect(data.secret('another')).not.toBe(secret);
    expect(statSync(data.in('identity-seed')).mode & 0o777).toBe(0o600);
    data.release();
  });
});
