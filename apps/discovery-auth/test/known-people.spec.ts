import { MAX_ASKED_PEOPLE, PEOPLE_KNOWN_PATTERN } from '@ringdown/contracts/people';
import { Bus } from '@ringdown/nats';
import { quietLogger, Started, startNats } from '@ringdown/testing';
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

  it.each([
    null,
    'alice@example.test',
    {},
    { usernames: 'alice@example.test' },
    { usernames: [7] },
    { usernames: Array.from({ length: MAX_ASKED_PEOPLE + 1 }, () => 'alice@example.test') },
  ])('is an error for another request (%#)', async (message) => {
    await expect(request(message)).rejects.toThrow('error');
  });
});
