import { createLogger, Health, Metrics } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { directorySettings, openDirectory, type DirectoryContext } from './index.js';

describe('the directory of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-directory-'));
  const file = join(folder, 'people.json');
  const settings = readSettings(directorySettings, { PEOPLE_FILE: file });
  afterAll(() => rmSync(folder, { recursive: true }));

  function context(): DirectoryContext {
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    return { logger, metrics: new Metrics(), health: new Health() };
  }

  function write(...names: string[]): void {
    const people = names.map((name) => {
      const username = `${name}@example.test`;
      return { username, name, sipAddress: `sip:${username}`, roles: ['user'] };
    });
    writeFileSync(file, JSON.stringify({ people }));
  }

  it('is read once for all its services, and closed with the last of them', async () => {
    write('dave');
    const process = context();
    const [one, other] = await Promise.all([openDirectory(settings, process), openDirectory(settings, process)]);
    expect(one.people).toBe(other.people);
    expect(await process.metrics.registry.metrics()).toContain('ringdown_people 1');
    expect(await process.health.report()).toEqual({ ready: true, parts: { directory: 'ok' }, limited: [] });

    const received: string[] = [];
    one.onChange(() => received.push('one'));
    const receivedByOther = new Promise((resolve) => other.onChange(resolve));
    await one.close();
    write('dave', 'erin');
    expect(await receivedByOther).toMatchObject({ all: { length: 2 } });
    expect(received).toEqual([]);
    await other.close();
  });

  it.each([
    ['DIRECTORY_OPERATORS_GROUP', 'cn=operators,dc=example,dc=test'],
    ['DIRECTORY_OPERATORS_FILTER', '(title=operator)'],
    ['DIRECTORY_REVEAL_GROUP', 'cn=reveal,dc=example,dc=test'],
    ['DIRECTORY_ADMINS_GROUP', 'cn=admins,dc=example,dc=test'],
    ['DIRECTORY_PEOPLE_FILTER', '(mail=*)'],
    ['DIRECTORY_SIGN_IN_ATTRIBUTES', 'uid'],
    ['DIRECTORY_ATTRIBUTES', 'mail=rfc822Mailbox'],
    ['DIRECTORY_CA_FILE', '/etc/ssl/ca.pem'],
  ])('rejects %s without a directory server, because it would have no effect', async (name, value) => {
    const alone = readSettings(directorySettings, { PEOPLE_FILE: file, [name]: value });
    await expect(openDirectory(alone, context())).rejects.toThrow(`${name} is set without DIRECTORY_URL`);
  });

  it('rejects for every service with the reason when it cannot be opened', async () => {
    rmSync(file);
    const process = context();
    const openings = await Promise.allSettled([openDirectory(settings, process), openDirectory(settings, process)]);
    for (const opening of openings) {
      expect(opening).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('cannot be read') },
      });
    }
    write('dave');
    const directory = await openDirectory(settings, process);
    expect(directory.people.all).toHaveLength(1);
    await directory.close();
  });
});
