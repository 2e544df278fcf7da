import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { addAndSignIn, request, type Answer, type Request } from './administered-people.js';
import { startService, type RunningService } from './running-service.js';

const ZOE = { username: 'zoe@example.test', name: 'Zoe Zimmer' };

describe('the administration of people rejects', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-admin-'));
  const started = new Started();
  const lines: string[] = [];
  let nats: TestNats;
  let one: RunningService;
  let admin: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    one = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }, logger));
    admin = await addAndSignIn(nats.urlOf('discovery-auth'), one, 'ada', 'admin');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  const as = (token: string, path: string, of: Request = {}): Promise<Answer> => request(one, token, path, of);
  const add = (body: unknown, token = admin): Promise<Answer> => as(token, '', { method: 'POST', body });
  const codeOf = ({ status, body }: Answer): unknown => [status, body['code']];

  describe('others', () => {
    const paths: readonly [string, string][] = [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/alice@example.test'],
      ['GET', '/nobody@example.test'],
      ['PUT', '/alice@example.test'],
      ['PUT', '/nobody@example.test'],
      ['DELETE', '/alice@example.test'],
      ['DELETE', '/nobody@example.test'],
      ['POST', '/alice@example.test/password'],
      ['POST', '/nobody@example.test/password'],
      ['GET', '/alice@example.test/sessions'],
      ['GET', '/nobody@example.test/sessions'],
      ['DELETE', '/alice@example.test/sessions'],
      ['DELETE', '/alice@example.test/sessions/x'],
    ];

    it.each(paths)('%s /api/people%s without a valid token with 401 and the challenge', async (method, path) => {
      const { status, headers, body } = await as('none', path, { method });
      expect([status, body['code']]).toEqual([401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toContain('/uc/token');
    });

    it.each([
      ['a user', []],
      ['an operator', ['operator']],
      ['an operator who sees users', ['operator', 'reveal']],
    ])('every request of %s with the same 403, whether the person exists or not', async (_who, roles) => {
      const token = await addAndSignIn(nats.urlOf('discovery-auth'), one, `o${roles.length}`, ...roles);
      const before = lines.length;
      for (const [method, path] of paths) {
        const body = method === 'GET' ? undefined : ZOE;
        const answer = await as(token, path, { method, body, ifMatch: '*' });
        expect([method, path, answer.status, answer.body['detail']]).toEqual([
          method,
          path,
          403,
          'The role "admin" is required.',
        ]);
      }
      expect(lines.slice(before).join('')).not.toContain('people audit');
      expect(codeOf(await as(admin, '/zoe@example.test'))).toEqual([404, 'no-such-person']);
    });

    it('without reading a body of 10 MB', async () => {
      const token = await addAndSignIn(nats.urlOf('discovery-auth'), one, 'big');
      const answer = await add(`"${'x'.repeat(10_000_000)}"`, token);
      expect(answer.status).toBe(403);
    });
  });

  it.each<[string, unknown, string]>([
    ['no username', { name: 'X' }, 'username is missing'],
    ['no name', { username: 'x@example.test' }, 'name is missing'],
    ['an unknown field', { ...ZOE, colour: 'red' }, 'there is no colour'],
    ['a hash', { ...ZOE, passwordHash: '$argon2id$…' }, 'there is no passwordHash'],
    ['a username without domain', { ...ZOE, username: 'zoe' }, 'username must be an address'],
    ['a username that is a number', { ...ZOE, username: 5 }, 'username must be an address'],
    ['a name with a control character', { ...ZOE, name: 'Zoe\u0007' }, 'name must be a text'],
    ['a name with a line separator', { ...ZOE, name: 'Zoe\u2028Z' }, 'name must be a text'],
    ['a name that turns the text around it', { ...ZOE, name: 'Zoe \u202Enimda' }, 'name must be a text'],
    ['a name in which a character is cut', { ...ZOE, name: 'Zoe \uD800' }, 'name must be a text'],
    ['an empty name', { ...ZOE, name: ' ' }, 'name must be a text'],
    ['a long name', { ...ZOE, name: 'z'.repeat(257) }, 'name must be a text'],
    ['a title that is a list', { ...ZOE, title: ['x'] }, 'title must be a text'],
    ['a wrong SIP address', { ...ZOE, sipAddress: 'zoe@example.test' }, 'sipAddress must be an address like sip:'],
    ['a wrong mail address', { ...ZOE, mail: 'zoe' }, 'mail must be an address'],
    ['a wrong number', { ...ZOE, phones: { work: '12' } }, 'phones must be an object'],
    ['an unknown kind of number', { ...ZOE, phones: { fax: '+12025550100' } }, 'phones must be an object'],
    ['an unknown role', { ...ZOE, roles: ['root'] }, 'roles must be a list'],
    ['roles that are a text', { ...ZOE, roles: 'admin' }, 'roles must be a list'],
    ['contacts that are numbers', { ...ZOE, contacts: [1] }, 'contacts must be a list'],
    ['a text instead of a flag', { ...ZOE, blocked: 'true' }, 'blocked must be true or false'],
    ['a list', [ZOE], 'The body must be a JSON object'],
    ['another form', 'username=zoe', 'The body is not JSON'],
    ['a name of every object', '{"username":"zoe@example.test","name":"Z","__proto__":{}}', '__proto__ is not allowed'],
  ])('a person with %s', async (_what, body, reason) => {
    const answer = await add(body);
    expect([answer.status, answer.body['detail']]).toEqual([400, expect.stringContaining(reason)]);
    expect(codeOf(await as(admin, '/zoe@example.test'))).toEqual([404, 'no-such-person']);
  });

  it('a body of 10 MB', async () => {
    expect(codeOf(await add({ ...ZOE, name: 'z'.repeat(10_000_000) }))).toEqual([413, 'too-large']);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=***', 'role=root', 'blocked=1', 'colour=red', 'limit=1&limit=2'])(
    'a list with %s',
    async (query) => {
      expect(codeOf(await as(admin, `?${query}`))).toEqual([400, 'bad-parameter']);
    },
  );

  it.each([
    ['search', 'x'.repeat(101)],
    ['search', 'a b c d e f'],
    ['cursor', 'x'.repeat(600)],
  ])('a list with %s=%s', async (name, value) => {
    expect(codeOf(await as(admin, `?${name}=${encodeURIComponent(value)}`))).toEqual([400, 'bad-parameter']);
  });

  it('a flood of requests of one administrator, and of no other', async () => {
    const url = nats.urlOf('discovery-auth');
    const [third, fourth] = [
      await addAndSignIn(url, one, 'nan', 'admin'),
      await addAndSignIn(url, one, 'ned', 'admin'),
    ];
    for (let times = 0; times < 300; times++) await as(third, '/zoe@example.test');
    const limited = await as(third, '');
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await as(fourth, '')).status).toBe(200);
  });
});
