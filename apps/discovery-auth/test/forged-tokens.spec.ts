import { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { tokenHash } from '@ringdown/token-validation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

/** What a program writes that can write to the bucket of tokens, but has not the key of discovery-auth. */
describe('a token that discovery-auth has not issued', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-forged-'));
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let bucket: Bucket<object>;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    const bus = await Bus.connect({ url: nats.peopleUrl, name: 'attacker', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    bucket = await Bucket.open({ bus, name: 'TOKENS', maxAgeMs: 86_400_000, parse: Object });
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function statusOf(token: string, { base } = service): Promise<number> {
    return (await fetch(`${base}/uc/discovery/user`, { headers: { authorization: `Bearer ${token}` } })).status;
  }

  async function signIn(): Promise<string> {
    const password = await firstUserPassword(dataDir, 'alice');
    const answer = await postForm(service.base, { grant_type: 'password', username: 'alice', password });
    return String(Object(await answer.json()).access_token);
  }

  const person = { username: 'alice@example.test', issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER };

  it.each<[string, object]>([
    ['of a person', person],
    ['with roles of a provider', { ...person, sessionMark: '0', roles: ['admin'] }],
    ['with a seal that is not a text', { ...person, seal: {} }],
    ['with a seal of another key', { ...person, seal: 'A'.repeat(43) }],
  ])('is rejected: %s', async (what, stored) => {
    await bucket.put(tokenHash(what), stored);
    expect(await statusOf(what)).toBe(401);
  });

  it('is rejected when it is a copy of an issued one under another hash', async () => {
    const token = await signIn();
    const stored = await bucket.get(tokenHash(token));
    await bucket.put(tokenHash('copied'), stored?.value ?? {});
    expect([await statusOf(token), await statusOf('copied')]).toEqual([200, 401]);
  });

  it('is rejected when the stored form of an issued one was changed', async () => {
    const token = await signIn();
    expect(await statusOf(token)).toBe(200);
    const stored = await bucket.get(tokenHash(token));
    await bucket.put(tokenHash(token), { ...stored?.value, username: 'carol@example.test' });
    await eventually('the rejection', async () => (await statusOf(token)) === 401);
  });

  it('is one of another key; one of the same key is valid after a restart', async () => {
    const token = await signIn();
    const restarted = async (env: Record<string, string>): Promise<number> => {
      await service.stop();
      service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, ...env }));
      return statusOf(token);
    };
    expect(await restarted({})).toBe(200);
    expect(await restarted({ TOKEN_KEY: 'another key of the operator' })).toBe(401);
  });
});
