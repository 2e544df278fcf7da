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
