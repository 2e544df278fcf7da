import { Bus } from '@ringdown/nats';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

describe('sign-in when the bus has reached its limit of tokens', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-full-'));
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let operator: Bus;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    operator = await Bus.connect({ url: nats.peopleUrl, name: 'operator', logger: quietLogger() });
    started.add({ stop: () => operator.close() });
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function signIn(): Promise<Response> {
    const form = { grant_type: 'password', username: 'alice', password: await firstUserPassword(dataDir, 'alice') };
    return postForm(service.base, form);
  }

  async function tokenOf(answer: Response): Promise<string> {
    return String(Object(await answer.json()).access_token);
  }

  it('replies with 503, keeps the issued tokens valid, and works again once there is room', async () => {
    const given = [await tokenOf(await signIn()), await tokenOf(await signIn())];
    const { state } = await operator.jsm.streams.info('KV_TOKENS');
    await operator.jsm.streams.update('KV_TOKENS', { max_bytes: state.bytes + 10 });
    const refused = await signIn();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    for (const token of given) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${service.base}/uc/discovery/user`, { headers })).status).toBe(200);
    }
    await operator.jsm.streams.update('KV_TOKENS', { max_bytes: 4 * state.bytes });
    expect((await signIn()).status).toBe(200);
  });
});

describe('guessing passwords when the bus has no room for more counts', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-full-'));
  const started = new Started();
  let service: RunningService;
  let operator: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const settings = { DATA_DIR: dataDir, SIGN_IN_FAILURES: '3' };
    service = started.add(await startService(nats.urlOf('discovery-auth'), settings));
    operator = await Bus.connect({ url: nats.peopleUrl, name: 'operator', logger: quietLogger() });
    started.add({ stop: () => operator.close() });
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function fillCounts(): Promise<void> {
    for (const bucket of ['KV_SIGN_INS', 'KV_SIGN_IN_FAILURES']) {
      const { state } = await operator.jsm.streams.info(bucket);
      await operator.jsm.streams.update(bucket, { max_bytes: state.bytes + 10 });
    }
  }

  async function signIn(username: string, password: string): Promise<number> {
    return (await postForm(service.base, { grant_type: 'password', username, password })).status;
  }

  it('is blocked as with room, and a right password is accepted, also after wrong ones', async () => {
    const [alice, bob] = [await firstUserPassword(dataDir, 'alice'), await firstUserPassword(dataDir, 'bob')];
    expect([await signIn('nobody', 'wrong'), await signIn('bob', 'wrong')]).toEqual([400, 400]);
    await fillCounts();
    expect([await signIn('bob', bob), await signIn('bob', 'wrong'), await signIn('bob', bob)]).toEqual([200, 400, 200]);
    await fillCounts();
    const guesses = [await signIn('alice', 'wrong'), await signIn('alice', 'wrong'), await signIn('alice', 'wrong')];
    expect(guesses).toEqual([400, 400, 400]);
    expect(await signIn('alice', alice)).toBe(429);
  });
});
