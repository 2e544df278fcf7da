import { at, header, json, type Answer } from '../src/answer.js';
import { signIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

interface Sent {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly ifMatch?: string;
}

/** The operator is an administrator, too, where people are on the server. */
describe('the administration of people', () => {
  const client = new WebClient();
  const { operator } = client.system;
  const isAdmin = operator.roles.includes('admin');
  const username = `${unique('person-').toLowerCase()}@example.test`;
  const path = `/api/people/${username}`;
  let token: string;
  beforeAll(async () => {
    token = await signIn(client, operator);
  });
  afterAll(() => client.close());

  function send(operation: string, url: string, { method, body, ifMatch }: Sent = {}): Promise<Answer> {
    return client.call(operation, {
      url,
      token,
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
    });
  }

  /** The status for an administrator; all others get 403. */
  async function answers(expected: number, answer: Promise<Answer>): Promise<Answer> {
    const got = await answer;
    expect([got.status, got.body]).toEqual([isAdmin ? expected : 403, expect.any(String)]);
    return got;
  }

  it('adds, reads, lists, changes and removes a person as described', async () => {
    const person = { username, name: 'Test Person' };
    const added = await answers(201, send('addPerson', '/api/people', { method: 'POST', body: person }));
    await answers(409, send('addPerson', '/api/people', { method: 'POST', body: person }));
    await answers(400, send('addPerson', '/api/people', { method: 'POST', body: { ...person, name: 5 } }));
    const read = await answers(200, send('readPerson', path));
    expect(header(read, 'etag')).toBe(header(added, 'etag'));
    const list = await answers(200, send('listPeople', `/api/people?search=${username}`));
    expect(at(json(list), 'items', 0, 'username')).toBe(isAdmin ? username : undefined);
    const changed = { ...person, title: 'Tester' };
    await answers(428, send('changePerson', path, { method: 'PUT', body: changed }));
    await answers(412, send('changePerson', path, { method: 'PUT', body: changed, ifMatch: '"1"' }));
    await answers(200, send('changePerson', path, { method: 'PUT', body: changed, ifMatch: '*' }));
    await answers(428, send('resetPassword', `${path}/password`, { method: 'POST' }));
    await answers(200, send('resetPassword', `${path}/password`, { method: 'POST', ifMatch: '*' }));
    await answers(200, send('listSessions', `${path}/sessions`));
    await answers(404, send('endSession', `${path}/sessions/x`, { method: 'DELETE' }));
    await answers(204, send('endSessions', `${path}/sessions`, { method: 'DELETE' }));
    await answers(204, send('removePerson', path, { method: 'DELETE' }));
    await answers(404, send('readPerson', path));
    await answers(404, send('removePerson', path, { method: 'DELETE' }));
  });

  it('does not let an administrator remove the own account', async () => {
    const own = await answers(409, send('removePerson', `/api/people/${operator.username}`, { method: 'DELETE' }));
    expect(at(json(own), 'code')).toBe(isAdmin ? 'own-account' : 'forbidden');
  });
});
