import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCall } from './demo-call.js';

describe('the demo for the system of this machine', () => {
  const data = mkdtempSync(join(tmpdir(), 'ringdown-demo-'));
  const users = join(data, 'first-users.json');
  beforeAll(() => writeFileSync(users, '[]'));
  afterAll(() => rmSync(data, { recursive: true }));

  it('sends to its feed, and gives it rules and sites', () => {
    const { args } = demoCall([], { DATA_DIR: data, PORT: '9443', COLLECTOR_PORT: '9080' });
    expect(args).toEqual([
      '--to',
      'http://localhost:9080',
      '--origin',
      'https://localhost:9443',
      '--users',
      users,
      '--sites',
      join(data, 'sites.json'),
    ]);
  });

  it('leaves the sites alone where SITES_FILE names others, and both at another collector', () => {
    expect(demoCall([], { DATA_DIR: data, SITES_FILE: '/etc/sites.json' }).args).not.toContain('--sites');
    expect(demoCall(['--to', 'http://collector:8080'], { DATA_DIR: data }).args).toEqual([
      '--to',
      'http://collector:8080',
    ]);
  });
});
