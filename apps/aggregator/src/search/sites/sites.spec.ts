import { eventually } from '@ringdown/testing/eventually';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sites } from './sites.js';

const POLL_MS = 20;

describe('the sites of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));
  const file = join(folder, 'sites.json');
  const lines: string[] = [];
  const log = (_about: object, line: string): void => void lines.push(line);
  let sites: Sites | undefined;
  afterEach(() => sites?.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('follow a change of the file, and stay when it becomes invalid', async () => {
    writeFileSync(file, '{"Oslo": ["10.1.0.0/16"]}');
    const followed = (sites = new Sites(file, { info: log, error: log }, POLL_MS));
    expect([followed.siteOf('10.1.0.9'), followed.siteOf('10.2.0.9')]).toEqual(['Oslo', undefined]);
    writeFileSync(file, '{"Oslo": ["10.1.0.0/16"], "Bergen": ["10.2.0.0/16"]}');
    await eventually('the second site', () => followed.siteOf('10.2.0.9') === 'Bergen');
    expect(followed.subnets.map(({ site }) => site)).toEqual(['Oslo', 'Bergen']);
    writeFileSync(file, '{"Oslo": "everything", "and": "more"}');
    await eventually('the complaint', () => lines.some((line) => line.includes('invalid')));
    expect(followed.siteOf('10.2.0.9')).toBe('Bergen');
  });

  it('are none without a file, and an error when it is wrong at the start', () => {
    sites = new Sites(undefined, { info: log, error: log });
    expect([sites.subnets, sites.siteOf('10.1.0.9')]).toEqual([[], undefined]);
    writeFileSync(file, '[]');
    expect(() => new Sites(file, { info: log, error: log })).toThrow('must contain an object');
  });
});
