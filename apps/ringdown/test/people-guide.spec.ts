import { eventually } from '@ringdown/testing/eventually';
import { CHECKOUT, guideCommands, readGuide, shell, guideTable, withOwn } from '@ringdown/testing/guide-shell';
import { freePorts, launch, running, SystemClient, type LaunchedSystem } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { embeddedNatsUrl } from '@ringdown/embedded/bus';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const GUIDE = 'people.md';
const [HELP = '', FIRST = '', ADMINISTRATOR = '', OWN_PASSWORD = '', OVER_HTTP = '', IMPORT = ''] =
  guideCommands(GUIDE);
/** What `npm run people` runs; npm takes half of the time of a command. */
const PEOPLE = `'${process.execPath}' '${CHECKOUT}scripts/run.cjs' system/people `;
const COMPOSE = /^docker compose exec (?:-T )?discovery-auth node dist\//gm;

/** Arguments for the commands of the table about sessions, for a person of their own. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  set: '--title Dean',
  'set-contacts': '--contact alice@example.test',
  'set-role': '--role operator',
  rename: 'renamed@example.test',
};

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('the guide to people', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-people-guide-'));
  const started = new Started();
  const shells = new Started();
  let system: LaunchedSystem;
  let client: SystemClient;

  beforeAll(async () => {
    // What a checkout has for its commands.
    for (const name of ['package.json', 'scripts']) symlinkSync(join(CHECKOUT, name), join(folder, name));
    const data = join(folder, 'data');
    mkdirSync(data);
    await seedDatabase(join(data, 'database'));
    const ports = await freePorts();
    const [, level = '', format = ''] = /`LOG_LEVEL=(\w+) LOG_FORMAT=(\w+)`/.exec(readGuide(GUIDE)) ?? [];
    const settings = { PUBLIC_ORIGIN: `https://localhost:${ports.PORT}`, LOG_LEVEL: level, LOG_FORMAT: format };
    system = started.add(launch({ ...ports, ...settings, DATA_DIR: data }));
    await running(system);
    client = started.add(new SystemClient(data, ports));
    writeFileSync(join(folder, '.curlrc'), `cacert = "${join(data, 'tls', 'cert.pem')}"\nsilent\nshow-error\n`);
  });
  afterEach(() => shells.stopAll());
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs lines of the guide; a container's command runs in this checkout, on the same bus. */
  async function run(lines: string, env: Readonly<Record<string, string>> = {}, input = ''): Promise<Ran> {
    const natsUrl = embeddedNatsUrl(join(folder, 'data', 'nats'), 'discovery-auth') ?? '';
    const here = lines.replaceAll(COMPOSE, `NATS_URL='${natsUrl}' node ${CHECKOUT}dist/`);
    const ran = shell(here, { cwd: folder, env, input }, shells);
    await ran.ended;
    return { code: ran.exitCode(), out: ran.output(), err: ran.errors() };
  }

  async function people(command: string, input?: string): Promise<Ran> {
    return run(`${PEOPLE}${command}`, {}, input);
  }

  /** A new person; returns the password. */
  async function added(name: string): Promise<string> {
    const { out, code } = await people(`add ${name}@example.test --name ${name}`);
    expect(code).toBe(0);
    return /: password (\S+)/.exec(out)?.[1] ?? '';
  }

  async function signedIn(name: string, password: string): Promise<string> {
    return eventually('the sign-in', () => client.signInAs(`${name}@example.test`, password).catch(() => undefined));
  }

  const statusOf = async (token: string): Promise<number> => (await client.as(token, '/api/me/sessions')).status;

  function audits(): readonly Record<string, unknown>[] {
    const lines = `${system.stdout()}\n${system.stderr()}`.split('\n').filter((line) => line.startsWith('{'));
    return lines.flatMap((line) => {
      const { msg, audit } = Object(JSON.parse(line));
      return msg === 'people audit' ? [audit] : [];
    });
  }

  it('has commands that print their help', async () => {
    expect(HELP.trim().split('\n')).toHaveLength(2);
    for (const line of HELP.trim().split('\n')) {
      const { code, out, err } = await run(line);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('Usage: npm run people -- <command>');
    }
  });

  it('lists and adds people, and sets a password', async () => {
    const { code, out, err } = await run(FIRST);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('alice@example.test');
    const [, password = ''] = /dave@example\.test: password (\S+)\s*$/.exec(out) ?? [];
    await signedIn('dave', password);
    const exported: { readonly people: readonly { readonly username: string; readonly roles: readonly string[] }[] } =
      JSON.parse((await people('export')).out);
    const rolesOf = (name: string): readonly string[] =>
      exported.people.find(({ username }) => username === `${name}@example.test`)?.roles.toSorted() ?? [];
    expect([rolesOf('dave'), rolesOf('erin')]).toEqual([
      ['operator', 'user'],
      ['operator', 'reveal', 'user'],
    ]);
    expect((await people('remove dave@example.test')).code).toBe(0);
    expect((await people('remove erin@example.test')).code).toBe(0);
  });

  const rows = guideTable(GUIDE, 'Command').flatMap(([names = '', sessions = '']) =>
    [...names.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [name, sessions] as const),
  );

  /** The command line for a person, with arguments where it needs some. */
  const lineOf = (command: string, name: string): string =>
    command === 'add'
      ? `add other@example.test --name Other`
      : `${command} ${name}@example.test ${ARGUMENTS[command] ?? ''}`;

  it('has the commands after which sessions continue', async () => {
    const commands = rows.filter(([, sessions]) => sessions.startsWith('continue')).map(([command]) => command);
    const tokens = new Map<string, string>();
    for (const command of commands) {
      tokens.set(command, await signedIn(`person-${command}`, await added(`person-${command}`)));
      expect(await people(lineOf(command, `person-${command}`))).toMatchObject({ code: 0, err: '' });
    }
    // Longer than the two seconds that the guide names.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const statuses = commands.map(async (command) => [command, await statusOf(tokens.get(command) ?? '')]);
    expect(await Promise.all(statuses)).toEqual(commands.map((command) => [command, 200]));
    expect(commands.length).toBeGreaterThan(2);
  });

  /** Needs a person who signs in at a provider: bound-people.spec of discovery-auth. */
  const isOfProvider = (command: string): boolean => command === 'unbind';

  it.each(rows.filter(([command, sessions]) => sessions.startsWith('end') && !isOfProvider(command)))(
    'has the command %s, after which sessions %s',
    async (command) => {
      const token = await signedIn(`person-${command}`, await added(`person-${command}`));
      expect(await people(lineOf(command, `person-${command}`))).toMatchObject({ code: 0, err: '' });
      await eventually('the end of the session', async () => (await statusOf(token)) === 401);
    },
  );

  it('says of each command whether sessions continue or end', () => {
    expect(rows).toHaveLength(10);
    expect(rows.filter(([, sessions]) => !/^(continue|end)/.test(sessions))).toEqual([]);
  });

  it('blocks sign-ins until a person is unblocked', async () => {
    const password = await added('blocked');
    expect((await people('block blocked@example.test')).code).toBe(0);
    const statusOfSignIn = async (): Promise<number> =>
      (await client.requestToken('blocked@example.test', password)).status;
    await eventually('the block', async () => (await statusOfSignIn()) === 400);
    expect((await people('unblock blocked@example.test')).code).toBe(0);
    await eventually('the sign-in', async () => (await statusOfSignIn()) === 200);
  });

  it('gives the role of an administrator to a person', async () => {
    const { code, out, err } = await run(ADMINISTRATOR);
    expect([code, out.trim().split('\n').at(-1), err]).toEqual([0, 'bob@example.test: changed', '']);
    const token = await client.signIn('bob');
    await eventually('the role', async () => (await client.as(token, '/api/people')).status === 200);
  });

  it('leaves the last administrator, unless forced', async () => {
    expect((await people('set-role bob@example.test')).code).toBe(0);
    for (const command of ['remove', 'block', 'set-role']) {
      const { code, err } = await people(`${command} carol@example.test`);
      expect([command, code, err]).toEqual([command, 1, expect.stringContaining('last administrator')]);
    }
    expect((await people('block carol@example.test --force')).code).toBe(0);
    expect((await people('unblock carol@example.test')).code).toBe(0);
    expect((await people('set-role bob@example.test --role operator --role admin')).code).toBe(0);
  });

  it.each([
    ['nine char', 'must have at least 10 characters'],
    ['Password2026!', 'is on the list of known passwords'],
    ['abababababab', 'must not repeat a few characters'],
    ['23456789012', 'must not repeat a few characters or count up or down'],
    ['alice@example.test', 'must not be made of names of its owner'],
  ])('describes why the password %s is rejected', async (password, reason) => {
    const { code, err } = await people('set-password alice@example.test --password-stdin', `${password}\n`);
    expect([code, err]).toEqual([1, expect.stringContaining(`people: the password ${reason}`)]);
  });

  it('accepts any other password, and --help prints the rules', async () => {
    const { code } = await people('set-password alice@example.test --password-stdin', 'ein Käse von gestern\n');
    expect(code).toBe(0);
    expect((await people('--help')).out).toMatch(/A new password\n {2}- has 10 to 256 characters/);
  });

  it('lets people read the rules, and change their own password, which ends their other sessions', async () => {
    const password = await added('erin');
    const TOKEN = await signedIn('erin', password);
    const other = await signedIn('erin', password);
    const next = 'a horse of another colour';
    const lines = withOwn(OWN_PASSWORD, {
      'https://…': client.origin,
      '"current":"…"': `"current":"${password}"`,
      '"new":"…"': `"new":"${next}"`,
    });
    const [rules = '', change = ''] = lines.trim().split('\n');
    const shown = await run(`${rules} --fail`, { TOKEN });
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('"has 10 to 256 characters"')]);
    const changed = await run(`${change} --fail`, { TOKEN });
    expect([changed.code, changed.err]).toEqual([0, '']);
    await eventually('the end of the other session', async () => (await statusOf(other)) === 401);
    expect(await statusOf(TOKEN)).toBe(200);
    expect(await signedIn('erin', next)).not.toBe('');
  });

  it('lists, adds, reads and changes people over HTTP', async () => {
    const TOKEN = await client.signIn('bob');
    const [list = '', add = '', read = '', change = ''] = OVER_HTTP.trim()
      .split('\n')
      .map((line) => line.replaceAll('https://…', client.origin));
    const once = async (line: string): Promise<Ran> => {
      const ran = await run(`${line.replace(/ +#.*$/, '')} --fail-with-body`, { TOKEN });
      expect([ran.code, ran.err, ran.out]).toEqual([0, '', expect.anything()]);
      return ran;
    };
    expect(JSON.parse((await once(add)).out)).toMatchObject({
      username: 'dave@example.test',
      name: 'Dave Dent',
      password: expect.stringMatching(/^\S{10,}$/),
    });
    const found = await eventually('the new person', async () => {
      const { items } = JSON.parse((await once(list)).out);
      return items.length > 0 ? items : undefined;
    });
    expect(found).toMatchObject([{ username: 'dave@example.test', blocked: false }]);
    const etag = /^etag: (".*")\r$/im.exec((await once(read)).out)?.[1] ?? '';
    const changed = await once(withOwn(change, { '"123"': etag }));
    expect(JSON.parse(changed.out)).toMatchObject({ username: 'dave@example.test', blocked: true });
    // The second of two administrators, and one who has not read.
    const again = await run(withOwn(change, { '"123"': etag, 'curl -X': 'curl -i -X' }), { TOKEN });
    expect(again.out).toMatch(/^HTTP\/1.1 412/);
    const unread = await run(withOwn(change, { [`-H 'If-Match: "123"'`]: '-i' }), { TOKEN });
    expect(unread.out).toMatch(/^HTTP\/1.1 428/);
  });

  it('shows the line of the log that a command leaves', async () => {
    const shown: unknown = JSON.parse(/```json\n(.*?)```/s.exec(readGuide(GUIDE))?.[1] ?? '');
    const { audit } = Object(shown);
    expect(audit).toMatchObject({ action: 'change', people: ['bob@example.test'] });
    const own = { by: `command:${userInfo().username}`, from: hostname() };
    const ownAudits = (): readonly object[] => audits().filter(({ by }) => by === own.by);
    const before = ownAudits().length;
    expect((await people('block bob@example.test')).code).toBe(0);
    const written = await eventually('the line', () => ownAudits().length > before && ownAudits().slice(before));
    expect(written).toEqual([{ ...audit, ...own }]);
    expect((await people('unblock bob@example.test')).code).toBe(0);
  });

  it('describes what the log has of each change', () => {
    const list = /^## Who has changed what\n(.*?)```json/ms.exec(readGuide(GUIDE))?.[1] ?? '';
    const actions = [...(/`action`: (.*?), and `people`/s.exec(list)?.[1] ?? '').matchAll(/`([\w-]+)`/g)];
    const known = new Set(actions.map(([, action]) => action));
    expect(known.size).toBe(6);
    const described = new Set([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const found = audits();
    expect(new Set(found.map(({ action }) => action)).size).toBeGreaterThan(3);
    for (const audit of found) {
      expect(known).toContain(audit['action']);
      expect(Object.keys(audit).filter((key) => !described.has(key))).toEqual([]);
    }
  });

  it('imports a file with the columns that it names, and exports it in both formats', async () => {
    const list = /^- \*\*CSV\*\*:(.*?)\n- /ms.exec(readGuide(GUIDE))?.[1] ?? '';
    const columns = [...list.matchAll(/`([a-zA-Z.]+)`/g)].map(([, name = '']) => name);
    const named = columns.filter((name) => name !== 'passwordHash' && name !== 'true');
    expect(named).toHaveLength(16);
    const cells: Readonly<Record<string, string>> = {
      username: 'faye@example.test',
      name: 'Faye',
      sipAddress: 'sip:faye@example.test',
      mail: 'faye@example.test',
      roles: 'user operator',
      contacts: 'alice@example.test',
      blocked: 'false',
      password: 'a pin in the haystack',
    };
    const row = named.map((name) => cells[name] ?? (name.startsWith('phone.') ? '+12025550110' : 'x'));
    writeFileSync(join(folder, 'people.csv'), `${named.join(';')}\n${row.join(';')}\n`);
    const { code, err } = await run(IMPORT);
    expect([code, err]).toEqual([0, expect.anything()]);
    expect(await signedIn('faye', 'a pin in the haystack')).not.toBe('');
    const csv = (await people('export --format csv')).out;
    const json = (await people('export')).out;
    expect(csv).toMatch(/^faye@example.test,.*\+12025550110/m);
    expect(json).toMatch(/"username":"faye@example.test".*"work":"\+12025550110"/);
    expect(csv + json).not.toContain('argon2id');
    expect((await people('export --with-hashes')).out).toContain('argon2id');
  });

  it('imports the other lines when some are wrong, or none', async () => {
    writeFileSync(
      join(folder, 'mixed.csv'),
      'username,name\ngina@example.test,Gina\nfaye@example.test,Faye\nno address,X\n',
    );
    const nothing = await people('import mixed.csv --all-or-nothing');
    expect(nothing.code).not.toBe(0);
    expect((await people('list')).out).not.toContain('gina@');
    const { code, out, err } = await people('import mixed.csv');
    expect(code).toBe(3);
    expect(out + err).toMatch(/line 3: .*\n(.*\n)*.*line 4: /);
    expect((await people('list')).out).toContain('gina@example.test');
    writeFileSync(join(folder, 'people.json'), '{"username":"faye@example.test","name":"Faye Fox"}\n');
    expect((await people('import people.json --update')).code).toBe(0);
    expect((await people('list')).out).toContain('Faye Fox');
    expect(await signedIn('faye', 'a pin in the haystack')).not.toBe('');
  });
});
