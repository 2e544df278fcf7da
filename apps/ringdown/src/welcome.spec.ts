import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { welcome } from './welcome.js';

describe('the text at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-welcome-'));
  const firstUsersFile = join(folder, 'first-users.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  const shown = (): Promise<string> =>
    welcome({
      origin: 'https://uc.example.test',
      addresses: [],
      feedIsClosed: false,
      tokenPath: '/uc/token',
      env: {},
      firstUsersFile,
      showPasswords: false,
      isInBackground: false,
      certificateFile: undefined,
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
});
