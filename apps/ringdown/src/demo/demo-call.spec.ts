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

  it('sends to a feed over HTTPS alone, which it knows by the certificate', () => {
    const feed = { DATA_DIR: data, COLLECTOR_PLAIN_HTTP: 'off', COLLECTOR_HTTPS_PORT: '9443' };
    const { args, env } = demoCall([], { ...feed, TLS_CERT: '/etc/uc.pem', TLS_KEY: '/etc/uc-key.pem' });
    expect(args.slice(0, 2)).toEqual(['--to', 'https://localhost:9443']);
    expect(env).toEqual({ SUBMIT_PINNED_CERT: '/etc/uc.pem' });
    expect(demoCall([], feed).env).toEqual({ SUBMIT_PINNED_CERT: join(data, 'tls', 'cert.pem') });
    expect(demoCall(['--to', 'https://collector:8443'], feed).env).toEqual({});
  });

  it('leaves the sites alone where SITES_FILE names others, and both at another collector', () => {
    expect(demoCall([], { DATA_DIR: data, SITES_FILE: '/etc/sites.json' }).args).not.toContain('--sites');
    expect(demoCall(['--to', 'http://collector:8080'], { DATA_DIR: data }).args).toEqual([
      '--to',
      'http://collector:8080',
    ]);
  });
});
