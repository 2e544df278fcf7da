import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolder } from './data-folder.js';

describe('a secret of the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-data-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is generated once, long and random, and readable only by its owner', async () => {
    const data = await DataFolder.open(folder);
    const secret = data.secret('identity-seed');
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(data.secret('identity-seed')).toBe(secret);
    expect(data.secret('another')).not.toBe(secret);
    expect(statSync(data.in('identity-seed')).mode & 0o777).toBe(0o600);
    data.release();
  });

  it('is generated again where a full disk has left an empty file', async () => {
    const data = await DataFolder.open(folder);
    writeFileSync(data.in('token-key'), '\n', { mode: 0o600 });
    const secret = data.secret('token-key');
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(readFileSync(data.in('token-key'), 'utf8')).toBe(`${secret}\n`);
    expect(readdirSync(folder).filter((name) => name.startsWith('token-key'))).toEqual(['token-key']);
    data.release();
  });
});

describe('a file of the data folder that others write', () => {
  it('is made without content, and kept as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-data-'));
    const data = await DataFolder.open(folder);
    expect(JSON.parse(readFileSync(data.objectFile('sites.json'), 'utf8'))).toEqual({});
    writeFileSync(data.in('sites.json'), '{"Oslo":[]}');
    expect(readFileSync(data.objectFile('sites.json'), 'utf8')).toBe('{"Oslo":[]}');
    data.release();
    rmSync(folder, { recursive: true });
  });
});
