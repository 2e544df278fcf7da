import { MAX_ASKED_PEOPLE, PEOPLE_KNOWN_PATTERN } from '@ringdown/contracts/people';
import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './running-service.js';

describe('the reply to which people exist', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-known-'));
  const started = new Started();
  let bus: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    bus = await Bus.connect({ url: nats.urlOf('aggregator'), name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  const request = (message: unknown): Promise<unknown> => bus.request(PEOPLE_KNOWN_PATTERN, message, 10_000);

  it('lists the usernames of the request that belong to a person', async () => {
    const usernames = ['nobody@example.test', 'alice@example.test', '', '__proto__', '*'];
    expect(await request({ usernames })).toEqual({ known: ['alice@example.test'] });
    expect(await request({ usernames: [] })).toEqual({ known: [] });
  });

  it('replies for as many usernames as one request may have', async () => {
    const absent = Array.from({ length: MAX_ASKED_PEOPLE - 1 }, (_, n) => `absent${n}@example.test`);
    expect(await request({ usernames: [...absent, 'alice@example.test'] })).toEqual({ known: ['alice@example.test'] });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'alice@example.test'],
    ['an object without usernames', {}],
    ['one username in place of a list', { usernames: 'alice@example.test' }],
    ['a number among usernames', { usernames: ['alice@example.test', 7] }],
    ['too many usernames', { usernames: Array.from({ length: MAX_ASKED_PEOPLE + 1 }, () => 'alice@example.test') }],
  ])('is an error of the service, not a list, for %s', async (_what, message) => {
    await expect(request(message)).rejects.toThrow('the request could not be processed');
    expect(await request({ usernames: ['alice@example.test'] })).toEqual({ known: ['alice@example.test'] });
  });
});
