import { at, header, json, type Answer } from '../src/answer.js';
import { signIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

/** The operator is an administrator, too, where people are on the server. */
describe('limits of trunks', () => {
  const client = new WebClient();
  const { operator } = client.system;
  const isAdmin = operator.roles.includes('admin');
  const trunk = unique('trunk-').toLowerCase();
  const url = `/api/limits/trunk/${trunk}`;
  let token: string;
  beforeAll(async () => {
    token = await signIn(client, operator);
  });
  afterAll(() => client.close());

  function put(calls: number, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...more };
    return client.call('setTrunkLimit', { method: 'PUT', url, token, headers, body: JSON.stringify({ calls }) });
  }

  it('are set, read, changed and deleted as described', async () => {
    const created = await put(120);
    expect(created.status).toBe(isAdmin ? 201 : 403);
    if (!isAdmin) return;
    const one = await client.call('readTrunkLimit', { url, token });
    expect([at(json(one), 'trunk'), at(json(one), 'calls')]).toEqual([trunk, 120]);
    expect((await put(0)).status).toBe(400);
    expect((await put(60)).status).toBe(428);
    expect((await put(60, { 'if-match': '"0"' })).status).toBe(412);
    expect((await put(60, { 'if-match': header(one, 'etag') ?? '' })).status).toBe(200);
    expect((await client.call('listTrunkLimits', { url: '/api/limits/trunk', token })).body).toContain(trunk);
    expect((await client.call('deleteTrunkLimit', { method: 'DELETE', url, token })).status).toBe(204);
    expect((await client.call('deleteTrunkLimit', { method: 'DELETE', url, token })).status).toBe(404);
  });

  it('are not set by others than administrators', async () => {
    const other = await signIn(client, client.system.user);
    const headers = { 'content-type': 'application/json' };
    const options = { method: 'PUT', url, token: other, headers, body: '{"calls":5}' } as const;
    expect((await client.call('setTrunkLimit', options)).status).toBe(403);
  });
});
