import { jest } from '@jest/globals';
import { embeddedDatabaseUrl } from '@ringdown/embedded/database';
import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  logged,
  type LaunchedSystem,
  type Ports,
  running,
  SystemClient,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { Started } from '@ringdown/testing/started';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { startXml } from './feed-examples.js';

jest.setTimeout(400_000);

const PAGE = 8_192;
/** In the middle of a page: neither its checksum nor what says where its rows are. */
const IN_PAGE = 4_000;
const CALLS = 150;

interface Page {
  readonly file: string;
  readonly page: number;
}

/** Pages of the calls themselves, of their records and other long values, and of two indexes: six. */
const DAMAGED_PAGES = `
  select pg_relation_filepath(relation) as file, page
  from (select tableoid from calls limit 1) as week, lateral (values
    (week.tableoid::regclass, 1), (week.tableoid::regclass, 5), (week.tableoid::regclass, 9),
    ((select reltoastrelid::regclass from pg_class where oid = week.tableoid), 3),
    ((week.tableoid::regclass::text || '_pkey')::regclass, 1),
    ((week.tableoid::regclass::text || '_began_at_call_key_idx')::regclass, 1)) as pages (relation, page)`;

describe('a database with damaged pages', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-damaged-'));
  const data = join(folder, 'data');
  const fresh = join(folder, 'fresh');
  const backup = join(folder, 'backup');
  let ports: Ports;
  let system: LaunchedSystem;
  let client: SystemClient;
  let token: string;

  async function start(): Promise<void> {
    system = started.add(launch({ ...ports, DATA_DIR: data }));
    await running(system);
    client = started.add(new SystemClient(data, ports));
    token = await client.signIn('carol');
  }

  async function run(name: string, dataDir: string, ...args: string[]): Promise<{ code: unknown; out: string }> {
    const program = programFile('ringdown', name);
    const env = { ...programEnvironment(), HOME: process.env['HOME'], DATA_DIR: dataDir };
    const child = spawn(process.execPath, [program, ...args], { env });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code, out: out + err };
  }

  const statusOfCall = async (name: string): Promise<number> => (await client.as(token, `/api/calls/${name}`)).status;
  const stored = (name: string): Promise<unknown> =>
    eventually(`the call ${name}`, async () => (await statusOfCall(name)) === 200);

  beforeAll(async () => {
    await seedDatabase(join(data, 'database'));
    ports = await freePorts();
    await start();
    for (let i = 0; i < CALLS; i++) expect((await client.post(startXml(`call-${i}`))).status).toBe(200);
    await stored(`call-${CALLS - 1}`);
    expect(await run('backup', data, backup)).toMatchObject({ code: 0 });
    const database = new Client({ connectionString: embeddedDatabaseUrl(join(data, 'database')) });
    await database.connect();
    const { rows: pages } = await database.query<Page>(DAMAGED_PAGES);
    await database.end();
    await run('stop', data);
    expect(pages).toHaveLength(6);
    for (const { file, page } of pages) damage(join(data, 'database', 'postgresql-18', file), page * PAGE + IN_PAGE);
    await start();
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('says so in one line for each file, and in its state', async () => {
    const answer = await client.as(token, '/api/calls');
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('"A file of the database is damaged')]);
    await logged(system, /ERROR: .*\n(?: +\S.*\n)+/);
    const lines = system.stderr().match(/ERROR: .*\n(?: +\S.*\n)*/g) ?? [];
    for (const line of lines) {
      expect(line).toContain('ERROR: a file of the database is damaged\n');
      expect(line).toContain('docs/guides/backup.md, \\"When files of the database are damaged\\"');
    }
    const files = lines.map((line) => /file: "([^"]+)"/.exec(line)?.[1]);
    expect(new Set(files).size).toBe(files.length);
    const { out } = await run('status', data);
    expect(out).toMatch(
      /^ {2}database files +a file of the database is damaged: invalid page in block \d+ of relation/m,
    );
    expect(out).toMatch(/^ +\d damaged files of the database$/m);
  });

  it('names the records that meet them in its state, and accepts and answers all others', async () => {
    for (let i = 0; i < CALLS; i++) expect((await client.post(startXml(`call-${i}`))).status).toBe(200);
    expect((await client.post(startXml('new'))).status).toBe(200);
    const { code, out } = await eventually('records that cannot be stored', async () => {
      const status = await run('status', data);
      return status.out.includes('cannot be stored') && status;
    });
    expect(out).toMatch(/^ {2}calls to store +records of \d partitions? cannot be stored: invalid page in block/m);
    expect(out).toMatch(/^Ringdown is running and ready, and the database is DAMAGED: /);
    expect(code).toBe(1);
    expect(await run('stop', data)).toMatchObject({ code: 0 });
  });

  it('is replaced by that of a backup, which reads from the bus what it lacks', async () => {
    expect(await run('restore', fresh, backup)).toMatchObject({ code: 0 });
    renameSync(join(data, 'database'), join(folder, 'database-damaged'));
    renameSync(join(fresh, 'database'), join(data, 'database'));
    await start();
    await stored('new');
    for (let i = 0; i < CALLS; i++) await stored(`call-${i}`);
    expect(await run('status', data)).toMatchObject({ code: 0 });
    await run('stop', data);
  });

  it('is made anew from what the bus still has, where there is no backup', async () => {
    renameSync(join(data, 'database'), join(folder, 'database-restored'));
    await start();
    await stored('new');
    for (let i = 0; i < CALLS; i++) await stored(`call-${i}`);
    expect(await run('status', data)).toMatchObject({ code: 0 });
  });
});

function damage(file: string, position: number): void {
  const open = openSync(file, 'r+');
  writeSync(open, Buffer.alloc(100, 7), 0, 100, position);
  closeSync(open);
}
