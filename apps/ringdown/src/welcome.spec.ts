import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeneratedCertificate } from './host/web.js';
import { welcome } from './welcome.js';

describe('the text at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-welcome-'));
  const firstUsersFile = join(folder, 'first-users.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  const shown = (certificate?: GeneratedCertificate): Promise<string> =>
    welcome({
      origin: 'https://uc.example.test',
      addresses: [],
      feedIsClosed: false,
      tokenPath: '/uc/token',
      env: {},
      firstUsersFile,
      showPasswords: false,
      isInBackground: false,
      certificate,
    });

  it('names the file with the first users while it is kept, and none after an operator has deleted it', async () => {
    const users = [{ username: 'carol@example.test', password: 'correct horse', roles: ['operator'] }];
    writeFileSync(firstUsersFile, JSON.stringify(users));
    expect(await shown()).toContain(firstUsersFile);
    rmSync(firstUsersFile);
    const without = await shown();
    expect(without).not.toContain(firstUsersFile);
    expect(without).toContain('-d Username=NAME -d password=PASSWORD https://uc.example.test/uc/token');
  });

  it('says why browsers warn about a certificate that was made here, with its fingerprint', async () => {
    const text = await shown({ file: '/data/tls/cert.pem', fingerprint: 'AB:CD', authority: undefined });
    expect(text).toContain('made here, so browsers warn about it: compare its fingerprint (SHA-256), then go on');
    expect(text).toMatch(/^ {2,}AB:CD$/m);
    expect(text).toContain('curl --cacert /data/tls/cert.pem ');
    expect(await shown()).not.toContain('fingerprint');
  });

  it('says which authority has been asked for a better one', async () => {
    const text = await shown({ file: '/data/tls/cert.pem', fingerprint: 'AB:CD', authority: 'ca.example.test' });
    expect(text).toContain('made here until ca.example.test issues one, so browsers warn about it');
  });
});
