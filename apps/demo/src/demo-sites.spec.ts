import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSites } from './demo-sites.js';

describe('the sites of the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-demo-'));
  const file = join(folder, 'sites.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are written where a system has none yet', () => {
    writeFileSync(file, '{}\n');
    writeSites(file);
    const shipped = readFileSync(new URL('../../sites.json', import.meta.url), 'utf8');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(shipped));
  });

  it('leave the sites of others alone, and a system that reads no such file', () => {
    writeFileSync(file, '{"Bonn":["10.0.0.0/8"]}');
    writeSites(file);
    expect(readFileSync(file, 'utf8')).toBe('{"Bonn":["10.0.0.0/8"]}');
    rmSync(file);
    writeSites(file);
    expect(existsSync(file)).toBe(false);
  });
});
