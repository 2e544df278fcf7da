import { PeopleStore, type PersonNames } from '@ringdown/directory/stored';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { addAndSignIn, isValid, people, request, tokenFor, type Answer, type Request } from './administered-people.js';
import { startService, type RunningService } from './running-service.js';

const ZOE = { username: 'zoe@example.test', name: 'Zoe Zimmer' };

describe('the administration of people', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-admin-'));
  const started = new Started();
  const lines: string[] = [];
  let nats: TestNats;
  let one: RunningService;
  let other: RunningService;
  let admin: string;
  let second: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const url = nats.urlOf('discovery-auth');
    one = started.add(await startService(url, { DATA_DIR: dataDir }, logger));
    other = started.add(await startService(url, { DATA_DIR: dataDir }));
    admin = await addAndSignIn(url, one, 'ada', 'admin');
    second = await addAndSignIn(url, one, 'abe', 'admin');
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  const as = (token: string, path: string, of: Request = {}, service = one): Promise<Answer> =>
    request(service, token, path, of);
  const add = (body: unknown, token = admin): Promise<Answer> => as(token, '', { method: 'POST', body });
  const etagOf = async (name: string): Promise<string> =>
    String((await as(admin, `/${name}@example.test`)).headers.get('etag'));
  const codeOf = ({ status, body }: Answer): unknown => [status, body['code']];

  /** Adds a person whom no other test changes; returns the answer. */
  async function added(name: string, more: object = {}): Promise<Answer> {
    const answer = await add({ username: `${name}@example.test`, name, ...more });
    expect(answer.status).toBe(201);
    return answer;
  }

  async function endsEverywhere(token: string): Promise<void> {
    for (const service of [one, other]) {
      await eventually('the end of the token', async () => !(await isValid(service, token)));
    }
  }

  it('adds a person with a generated password, which is shown once and works', async () => {
    const { status, headers, body } = await add({
      username: 'Yann@Example.test',
      name: ' יאן Yann ',
      mail: 'yann@example.test',
      title: '',
      phones: { work: '+12025550109' },
      roles: ['operator'],
      contacts: ['alice@example.test'],
    });
    expect([status, headers.get('location')]).toEqual([201, '/api/people/yann%40example.test']);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', expect.stringMatching(/^"\d+"$/)]);
    const { password, ...account } = body;
    expect(account).toEqual({
      username: 'yann@example.test',
      name: 'יאן Yann',
      sipAddress: 'sip:yann@example.test',
      mail: 'yann@example.test',
      title: null,
      department: null,
      company: null,
      office: null,
      phones: { work: '+12025550109' },
      roles: ['user', 'operator'],
      contacts: ['alice@example.test'],
      blocked: false,
      hasPassword: true,
    });
    const read = await as(admin, '/yann@example.test', {}, other);
    expect([read.body, read.headers.get('etag')]).toEqual([account, headers.get('etag')]);
    expect(await eventually('the sign-in', () => tokenFor(other, 'yann', String(password)))).toEqual(
      expect.any(String),
    );
    expect(lines.join('')).not.toContain(String(password));
  });

  it('adds a person without a password', async () => {
    const { body } = await added('yara', { withPassword: false });
    expect([body['password'], body['hasPassword']]).toEqual([null, false]);
  });

  it('does not add a person whose names others have, or with an unknown contact', async () => {
    expect(codeOf(await add({ username: 'alice@example.test', name: 'A' }))).toEqual([409, 'username-in-use']);
    const taken = { ...ZOE, sipAddress: 'sip:alice@example.test' };
    expect(codeOf(await add(taken))).toEqual([409, 'sip-address-in-use']);
    expect(codeOf(await add({ ...ZOE, contacts: ['no@example.test'] }))).toEqual([409, 'unknown-contact']);
    expect(codeOf(await as(admin, '/zoe@example.test'))).toEqual([404, 'no-such-person']);
  });

  it('adds and renames nobody into a domain that is not served', async () => {
    expect(codeOf(await add({ username: 'zoe@foreign.test', name: 'Zoe' }))).toEqual([409, 'foreign-domain']);
    expect(codeOf(await add({ ...ZOE, sipAddress: 'sip:zoe@foreign.test' }))).toEqual([409, 'foreign-domain']);
    await added('yolanda');
    const body = { username: 'yolanda@foreign.test', name: 'Yolanda' };
    const renamed = await as(admin, '/yolanda@example.test', { method: 'PUT', body, ifMatch: '*' });
    expect(codeOf(renamed)).toEqual([409, 'foreign-domain']);
  });

  it('neither renames nor removes a person of whom a rename was interrupted, until the new name is removed', async () => {
    const names = (name: string): PersonNames => ({
      username: `${name}@example.test`,
      sipAddress: `sip:${name}@example.test`,
    });
    const bus = await Bus.connect({ url: nats.urlOf('discovery-auth'), name: 'test', logger: quietLogger() });
    const store = await PeopleStore.open({ bus, logger: quietLogger(), role: 'user' });
    await store.renames.begin(names('ines'), names('inez'));
    await bus.close();
    for (const name of ['ines', 'inez']) await added(name, { name: 'Ines', withPassword: false });
    const rename = { method: 'PUT', body: { username: 'agnes@example.test', name: 'Ines' }, ifMatch: '*' } as const;
    const remove = { method: 'DELETE', ifMatch: '*' } as const;
    for (const change of [rename, remove])
      expect(codeOf(await as(admin, '/ines@example.test', change))).toEqual([409, 'rename-interrupted']);
    expect((await as(admin, '/inez@example.test', remove)).status).toBe(204);
    expect((await as(admin, '/ines@example.test', rename)).status).toBe(200);
  });

  it('rejects a SIP address that is the username of another person, and the reverse', async () => {
    await added('jd', { sipAddress: 'sip:john.doe@example.test' });
    await added('may');
    const used = { ...ZOE, sipAddress: 'sip:jd@example.test' };
    expect(codeOf(await add(used))).toEqual([409, 'sip-address-in-use']);
    const john = { username: 'john.doe@example.test', name: 'John', sipAddress: 'sip:j@example.test' };
    expect(codeOf(await add(john))).toEqual([409, 'username-in-use']);
    const put = async (name: string, body: object): Promise<Answer> =>
      as(admin, `/${name}@example.test`, { method: 'PUT', body, ifMatch: '*' });
    expect(codeOf(await put('may', john))).toEqual([409, 'username-in-use']);
    const may = { username: 'may@example.test', name: 'May', sipAddress: 'sip:jd@example.test' };
    expect(codeOf(await put('may', may))).toEqual([409, 'sip-address-in-use']);
    const { status, body } = await put('jd', { username: 'jd@example.test', name: 'J' });
    expect([status, body['sipAddress']]).toEqual([200, 'sip:jd@example.test']);
  });

  it('needs If-Match for a change, and rejects the second of two administrators', async () => {
    await added('yves');
    const path = '/yves@example.test';
    const body = { username: 'yves@example.test', name: 'Yves' };
    expect(codeOf(await as(admin, path, { method: 'PUT', body }))).toEqual([428, 'precondition-required']);
    expect(codeOf(await as(admin, `${path}/password`, { method: 'POST' }))).toEqual([428, 'precondition-required']);
    const ifMatch = await etagOf('yves');
    const change = (token: string, title: string, service: RunningService): Promise<Answer> =>
      as(token, path, { method: 'PUT', body: { ...body, title }, ifMatch }, service);
    const answers = await Promise.all([change(admin, 'First', one), change(second, 'Second', other)]);
    const winner = answers.find(({ status }) => status === 200);
    expect(answers.map(({ status }) => status)).toEqual(winner === answers[0] ? [200, 412] : [412, 200]);
    expect((await as(admin, path, {}, other)).body['title']).toBe(winner?.body['title']);
    for (const of of [{ method: 'PUT', body }, { method: 'DELETE' }]) {
      expect(codeOf(await as(admin, path, { ...of, ifMatch }))).toEqual([412, 'precondition-failed']);
    }
    expect(codeOf(await as(admin, `${path}/password`, { method: 'POST', ifMatch }))).toEqual([
      412,
      'precondition-failed',
    ]);
  });

  it.each(['PUT', 'DELETE'])('answers %s of an unknown person with 404', async (method) => {
    const body = method === 'PUT' ? ZOE : undefined;
    expect(codeOf(await as(admin, '/zoe@example.test', { method, body, ifMatch: '*' }))).toEqual([
      404,
      'no-such-person',
    ]);
  });

  it('leaves out what is left out of a change, but the password', async () => {
    const before = await added('yuri', { title: 'T', phones: { mobile: '+12025550108' }, roles: ['operator'] });
    const path = '/yuri@example.test';
    const body = { username: 'yuri@example.test', name: 'Yuri', mail: null };
    const { body: after } = await as(admin, path, { method: 'PUT', body, ifMatch: await etagOf('yuri') });
    expect(after).toMatchObject({ name: 'Yuri', title: null, phones: {}, roles: ['user'], hasPassword: true });
    expect(await tokenFor(one, 'yuri', String(before.body['password']))).toEqual(expect.any(String));
  });

  it.each([
    ['a block', (name: string) => ({ username: name, name, blocked: true }), false],
    ['a rename', (name: string) => ({ username: `new-${name}`, name }), false],
  ])('ends the sessions of a person with %s', async (what, body) => {
    const name = what.replace('a ', 'y');
    const { password } = (await added(name)).body;
    const token = await eventually('the sign-in', () => tokenFor(other, name, String(password)));
    const of = { method: 'PUT', body: body(`${name}@example.test`), ifMatch: await etagOf(name) };
    expect((await as(admin, `/${name}@example.test`, of)).status).toBe(200);
    await endsEverywhere(token);
    expect(await tokenFor(other, name, String(password))).toBeUndefined();
  });

  it('renames a person, also in the contacts of others', async () => {
    await added('wendy');
    await added('walt', { contacts: ['wendy@example.test'] });
    const body = { username: 'wanda@example.test', name: 'Wanda' };
    const of = { method: 'PUT', body, ifMatch: await etagOf('wendy') };
    const { status, headers } = await as(admin, '/WENDY@example.test', of);
    expect([status, headers.get('content-location')]).toEqual([200, '/api/people/wanda%40example.test']);
    expect((await as(admin, '/walt@example.test', {}, other)).body['contacts']).toEqual(['wanda@example.test']);
    expect(codeOf(await as(admin, '/wendy@example.test', {}, other))).toEqual([404, 'no-such-person']);
    const taken = { method: 'PUT', body: { ...body, username: 'walt@example.test' }, ifMatch: '*' };
    expect(codeOf(await as(admin, '/wanda@example.test', taken))).toEqual([409, 'username-in-use']);
  });

  it('resets a password: the old one and its sessions end, the new one is shown once', async () => {
    const { password } = (await added('vera')).body;
    const token = await eventually('the sign-in', () => tokenFor(one, 'vera', String(password)));
    const path = '/vera@example.test/password';
    const reset = await as(admin, path, { method: 'POST', ifMatch: await etagOf('vera') });
    expect([reset.status, reset.headers.get('cache-control')]).toEqual([200, 'no-store']);
    await endsEverywhere(token);
    expect(await tokenFor(one, 'vera', String(password))).toBeUndefined();
    await eventually('the sign-in', () => tokenFor(other, 'vera', String(reset.body['password'])));
    expect(await etagOf('vera')).toBe(reset.headers.get('etag'));
    expect(lines.join('')).not.toContain(String(reset.body['password']));
  });

  it('lists the sessions of a person and ends one, or all', async () => {
    const { password } = (await added('ulla')).body;
    const signIn = (service: RunningService): Promise<string> =>
      eventually('the sign-in', () => tokenFor(service, 'ulla', String(password)));
    const [first, next] = [await signIn(one), await signIn(other)];
    const path = '/ulla@example.test/sessions';
    const items = Object((await as(admin, path)).body['items']);
    expect(items).toMatchObject([{ current: false, address: '127.0.0.1' }, { signedInWith: 'password' }]);
    expect((await as(admin, `${path}/${items[0].id}`, { method: 'DELETE' })).status).toBe(204);
    await endsEverywhere(next);
    expect(await isValid(other, first)).toBe(true);
    const again = await as(admin, `${path}/${items[0].id}`, { method: 'DELETE' });
    expect(codeOf(again)).toEqual([404, 'no-such-session']);
    const before = await etagOf('ulla');
    expect((await as(admin, path, { method: 'DELETE' })).status).toBe(204);
    await endsEverywhere(first);
    expect((await as(admin, path)).body['items']).toEqual([]);
    expect(await etagOf('ulla')).toBe(before);
    await signIn(one);
    expect(codeOf(await as(admin, '/zoe@example.test/sessions'))).toEqual([404, 'no-such-person']);
  });

  it('removes a person, whose sessions end', async () => {
    const { password } = (await added('tom')).body;
    const token = await eventually('the sign-in', () => tokenFor(one, 'tom', String(password)));
    const path = '/tom@example.test';
    expect((await as(admin, path, { method: 'DELETE', ifMatch: await etagOf('tom') })).status).toBe(204);
    await endsEverywhere(token);
    expect(codeOf(await as(admin, path, {}, other))).toEqual([404, 'no-such-person']);
    expect(codeOf(await as(admin, path, { method: 'DELETE' }))).toEqual([404, 'no-such-person']);
  });

  it('changes roles without a new sign-in: a person who has just lost the role cannot change people', async () => {
    const url = nats.urlOf('discovery-auth');
    const token = await addAndSignIn(url, one, 'sam');
    expect((await as(token, '')).status).toBe(403);
    const path = '/sam@example.test';
    const set = async (...roles: string[]): Promise<void> => {
      const body = { username: 'sam@example.test', name: 'sam', roles };
      const { status } = await as(admin, path, { method: 'PUT', body, ifMatch: await etagOf('sam') });
      expect(status).toBe(200);
    };
    await set('admin');
    for (const service of [other, one]) {
      await eventually('the role', async () => (await as(token, '', {}, service)).status === 200);
    }
    await set();
    // The cache of the check has the role still.
    expect((await as(token, '')).status).toBe(403);
    const last = await as(token, path, { method: 'DELETE' });
    expect(last.status).toBe(403);
    expect(await isValid(one, token)).toBe(true);
  });

  it.each([
    ['removes', 'DELETE', '', undefined],
    ['blocks', 'PUT', '', { username: 'ada@example.test', name: 'ada', roles: ['admin'], blocked: true }],
    ['takes the role from', 'PUT', '', { username: 'ada@example.test', name: 'ada' }],
    ['resets the password of', 'POST', '/password', undefined],
  ])(
    'does not let administrators decide about their own account: an administrator %s it',
    async (_what, method, path, body) => {
      const answer = await as(admin, `/ada@example.test${path}`, { method, body, ifMatch: await etagOf('ada') });
      expect(codeOf(answer)).toEqual([409, 'own-account']);
    },
  );

  it('always leaves an administrator: of two who remove each other, one stays', async () => {
    await people(nats.urlOf('discovery-auth'), 'set-role', 'carol@example.test', '--role', 'operator');
    for (let times = 0; times < 5; times++) {
      const [path, body] = ['/ada@example.test', { username: 'ada@example.test', name: 'ada' }];
      const [back, of] = ['/abe@example.test', { username: 'abe@example.test', name: 'abe' }];
      const answers = await Promise.all([
        as(second, path, { method: 'PUT', body, ifMatch: '*' }, one),
        as(admin, back, { method: 'PUT', body: of, ifMatch: '*' }, other),
      ]);
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
      expect(await people(nats.urlOf('discovery-auth'), 'list')).toMatch(/,admin\t/);
      for (const name of ['ada', 'abe']) {
        await people(nats.urlOf('discovery-auth'), 'set-role', `${name}@example.test`, '--role', 'admin');
      }
      for (const token of [admin, second]) {
        await eventually('the role', async () => (await as(token, '')).status === 200);
        await eventually('the role', async () => (await as(token, '', {}, other)).status === 200);
      }
    }
  });

  it('has one line of the log for each change, with who, from where and the result', async () => {
    lines.splice(0);
    await added('rita');
    const of = { method: 'PUT', body: { username: 'rita@example.test', name: 'Rita', blocked: true } };
    await as(admin, '/rita@example.test', { ...of, ifMatch: '"1"' });
    await as(admin, '/rita@example.test', { ...of, ifMatch: await etagOf('rita') });
    await as(admin, '/rita@example.test/sessions', { method: 'DELETE' });
    await as(admin, '/rita@example.test', { method: 'DELETE' });
    const audits = lines.map((line) => Object(JSON.parse(line)).audit).filter((audit) => audit !== undefined);
    const by = { by: 'ada@example.test', from: '127.0.0.1', people: ['rita@example.test'] };
    expect(audits).toEqual([
      { ...by, action: 'add', roles: ['user'], result: 'done' },
      { ...by, action: 'change', result: 'rejected', reason: expect.stringContaining('changed since it was read') },
      { ...by, action: 'change', changed: ['name', 'blocked'], blocked: true, result: 'done' },
      { ...by, action: 'change', changed: ['sessions'], result: 'done' },
      { ...by, action: 'remove', result: 'done' },
    ]);
  });

  it('finds people by parts of names, addresses and numbers, by role and by state, in pages', async () => {
    for (const n of [1, 2, 3]) {
      await added(`quinn${n}`, { department: `Ärzte ${n}`, phones: { work: `+1202555020${n}` } });
    }
    await added('quinn4', { roles: ['operator'], blocked: true });
    const found = async (query: string, service = other): Promise<readonly string[]> => {
      const { status, body } = await as(admin, `?${query}`, {}, service);
      expect(status).toBe(200);
      return Object(body['items']).map(({ username }: { username: string }) => username.split('@')[0]);
    };
    expect(await found('search=QUINN')).toEqual(['quinn1', 'quinn2', 'quinn3', 'quinn4']);
    expect(await found(`search=${encodeURIComponent('quinn2 ärzte')}`)).toEqual(['quinn2']);
    expect(await found(`search=${encodeURIComponent('+120255502')}&blocked=false`)).toEqual([
      'quinn1',
      'quinn2',
      'quinn3',
    ]);
    expect(await found('search=quinn&blocked=true')).toEqual(['quinn4']);
    expect(await found('search=quinn&role=operator')).toEqual(['quinn4']);
    expect(await found('search=.*')).toEqual([]);
    const pages: unknown[] = [];
    for (let cursor = ''; cursor !== 'null';) {
      const { body } = await as(admin, `?search=quinn&limit=3${cursor}`);
      pages.push(Object(body['items']).length);
      cursor = body['next'] === null ? 'null' : `&cursor=${JSON.stringify(body['next']).slice(1, -1)}`;
    }
    expect(pages).toEqual([3, 1]);
  });

  it('goes on at another replica while one is restarted in the middle of changes', async () => {
    const own = started.add(await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir }));
    const names = Array.from({ length: 30 }, (_, n) => `p${n}`);
    const answers = await Promise.all(
      names.map(async (name, n) => {
        if (n === 10) void own.stop();
        const body = { username: `${name}@example.test`, name, withPassword: false };
        return as(admin, '', { method: 'POST', body }, own).then(
          ({ status }) => status,
          () => 0,
        );
      }),
    );
    await own.stop();
    for (const [n, name] of names.entries()) {
      const { status } = await as(admin, `/${name}@example.test`, {}, other);
      // What was answered with 201 is stored; of the others, it is either stored or not.
      expect(answers[n] === 201 ? [200] : [200, 404]).toContain(status);
    }
  });

  it('answers 503 while the bus is away, and goes on afterwards', async () => {
    await nats.kill();
    for (const path of ['', '/alice@example.test', '/alice@example.test/sessions']) {
      const { status, headers } = await as(admin, path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2']);
    }
    await nats.restart();
    await eventually('an answer', async () => (await as(admin, '/alice@example.test')).status === 200);
  });
});
