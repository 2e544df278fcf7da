import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSites } from './load-sites.js';

describe('the sites file', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function file(text: string): string {
    const path = join(folder, 'sites.json');
    writeFileSync(path, text);
    return path;
  }

  it('contains the subnets of each site', () => {
    expect(loadSites(file('{"Oslo": ["10.1.0.0/16", "2001:DB8::/32"], "Desk 7": ["10.1.7.7"], "Empty": []}'))).toEqual([
      { site: 'Oslo', net: '10.1.0.0/16' },
      { site: 'Oslo', net: '2001:db8::/32' },
      { site: 'Desk 7', net: '10.1.7.7/32' },
    ]);
  });

  it.each([
    ['not JSON', 'must be a readable JSON file'],
    ['[]', 'must contain an object'],
    ['null', 'must contain an object'],
    ['{"": []}', 'needs names of 1 to 100 characters'],
    ['{"Oslo": "10.0.0.0/8"}', 'needs a list of subnets for "Oslo"'],
    ['{"Oslo": ["10.0.0.0/33"]}', 'has "10.0.0.0/33" in "Oslo", which is not a subnet'],
    ['{"Oslo": [10]}', 'has 10 in "Oslo", which is not a subnet'],
    ['{"Oslo": ["10.1.0.0/16"], "Bergen": ["10.1.9.9/16"]}', 'has 10.1.9.9/16 twice, in "Oslo" and in "Bergen"'],
  ])('is rejected when it is %s', (text, reason) => {
    expect(() => loadSites(file(text))).toThrow(reason);
  });

  it('is rejected when it is missing or has too many subnets', () => {
    expect(() => loadSites(join(folder, 'none.json'))).toThrow('must be a readable JSON file');
    const many = Array.from({ length: 2_001 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
    expect(() => loadSites(file(JSON.stringify({ Oslo: many })))).toThrow('may have 2000 subnets at most');
  });
});
