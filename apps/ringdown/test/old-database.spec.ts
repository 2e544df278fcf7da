import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, running, SystemClient, type Answer } from '@ringdown/testing/launched-system';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { Started } from '@ringdown/testing/started';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { RunningFile } from '../src/running-system.js';
import { csvDifferences, differences } from './old-database/differences.js';

/** Made with commit c8ee6b49, whose database was PGlite: a backup by its own command, and what its API answered (make.mjs). */
const BEFORE = fileURLToPath(new URL('../../test/old-database/', import.meta.url));

interface Before {
  readonly passwords: Readonly<Record<string, string>>;
  /** Of an operator who sees users, by path. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Written by hand: what the upgrade changes, each for a reason of CHANGELOG.md. */
const CHANGED: readonly string[] = [
  // "names of searches and rules have tokens of their own"
  '/api/alert-rules, hidden: .items[].name',
  '/api/searches, hidden: .items[].name',
  // "Metrics whose value cannot be ... are not judged": a loss of 123.5
  ...[
    '/api/calls/ID, hidden: .quality[]',
    '/api/calls/ID/metrics: .items[].points[]',
    '/api/calls/ID: .quality[]',
  ].flatMap((place) =>
    ['level', 'profile', 'threshold', 'thresholdFrom'].map((name) => `${place}.metrics.PacketLossRate.${name}`),
  ),
  ...['after.cause', 'after.verdict', 'changed.length', 'changed[]'].map(
    (name) => `/api/calls/ID/timeline: .items[].${name}`,
  ),
  // "All calls are rebuilt for it, also those that an impossible value had judged": the call itself; in lists it is left out
  ...['/api/calls/ID, hidden: ', '/api/calls/ID: '].flatMap((place) => [
    ...['cause', 'coverage', 'verdict'].map((name) => `${place}.${name}`),
    ...['cause', 'ownVerdict', 'verdict', 'withheld'].map((name) => `${place}.quality[].${name}`),
  ]),
  // "`GET /api/statistics/load?by=` divides ... by"
  ...['by', 'items[].attempts', 'items[].attemptsPerSecond', 'items[].value', 'values', 'valuesLeftOut'].map(
    (name) => `/api/statistics/load?bucketSeconds=86400&from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z: .${name}`,
  ),
  // "`/api/suggest` takes several fields ..., and its items have `field`"
  ...['codec', 'driver', 'ssid', 'bssid', 'trunk'].map((field) => `/api/suggest?field=${field}: .items[].field`),
];
/** The call with that loss. */
const JUDGED_ANEW = '41-1.0-3';
/** "All calls are rebuilt": in a further version, with these fields. */
const REBUILT = /\.(?:audio|end\.refusedBy|version)$/;
/** Alerts end by themselves when their calls are old. */
const MOVING = /^\/api\/alerts.*: (?:\.openCount|\.items\[\]\.endsAt)$/;

async function command(name: string, dataDir: string, ...args: string[]): Promise<{ code: unknown; stderr: string }> {
  const program = programFile('ringdown', name);
  const env = { ...programEnvironment(), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [program, ...args], { env });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, stderr };
}

describe('a data folder whose database is PGlite', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-old-'));
  const old = join(folder, 'old');
  const reason = `${join(old, 'database', 'pglite')} is a database of an earlier version (PGlite), which this version cannot open.`;
  let files: unknown;

  /** The names of all files, and a digest of all they contain. */
  const filesOf = (path: string): { readonly names: readonly string[]; readonly digest: string } => {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !name.startsWith('running.'),
    );
    const digest = createHash('sha256');
    for (const name of names) {
      if (statSync(join(path, name)).isFile()) digest.update(readFileSync(join(path, name)));
    }
    return { names, digest: digest.digest('hex') };
  };

  beforeAll(() => {
    // Of a system of that commit with five calls.
    const input = zstdDecompressSync(readFileSync(join(BEFORE, 'folder.tar.zst')));
    execFileSync('tar', ['-x', '--no-same-owner', '-C', folder], { input });
    files = filesOf(old);
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is refused by the start in one line, and not changed', async () => {
    const system = launch({ ...(await freePorts()), DATA_DIR: old });
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: [^\n]*\n$/);
    expect(system.stderr()).toContain(reason);
    expect(filesOf(old)).toEqual(files);
  });

  it.each([
    ['backup', [join(folder, 'backup')]],
    ['migrate', []],
  ])('is refused by the command for %s with the same words, and not changed', async (name, args) => {
    const { code, stderr } = await command(name, old, ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(`${name}: ${reason}`);
    expect(filesOf(old)).toEqual(files);
  });

  it('is refused by the backup with the same words while the version runs that made it', async () => {
    const file = new RunningFile(old);
    file.claim();
    const { code, stderr } = await command('backup', old, join(folder, 'backup')).finally(() => file.release());
    expect(code).toBe(1);
    expect(stderr).toContain(`backup: ${reason}`);
    expect(filesOf(old)).toEqual(files);
  });

  describe('after a backup of the version before', () => {
    const before: Before = JSON.parse(gunzipSync(readFileSync(join(BEFORE, 'answers.json.gz'))).toString());
    let client: SystemClient;
    let token: string;

    beforeAll(async () => {
      const [data, backup] = [join(folder, 'new'), join(folder, 'before')];
      mkdirSync(backup);
      execFileSync('tar', ['-xzf', join(BEFORE, 'backup.tgz'), '-C', backup]);
      expect(await command('restore', data, backup)).toMatchObject({ code: 0 });
      const ports = await freePorts();
      // Its calls are of November 2026.
      await running(started.add(launch({ ...ports, DATA_DIR: data, HISTORY_DAYS: '36500' })));
      client = started.add(new SystemClient(data, ports));
      token = await client.signIn('carol');
    });

    /** A busy machine may need longer than a query may take. */
    const ask = (path: string): Promise<Answer> =>
      eventually(path, async () => {
        const answer = await client.as(token, path);
        return answer.status !== 503 && answer;
      });

    it('answers as before, but for what the changelog names', async () => {
      await eventually('all calls are rebuilt', async () => {
        const { items }: { items: readonly object[] } = JSON.parse((await ask('/api/calls?limit=200')).text);
        return items.every((call) => 'audio' in call);
      });
      const found: string[] = [];
      for (const [path, answer] of Object.entries(before.answers)) {
        const { status, text: now } = await ask(path);
        expect([path, status]).toEqual([path, 200]);
        const compare = path.includes('.csv') ? csvDifferences : differences;
        found.push(...compare(path, answer, now, path.includes(`/${JUDGED_ANEW}`) ? '' : JUDGED_ANEW));
      }
      const changed = new Set(found.filter((place) => !MOVING.test(place) && !REBUILT.test(place)));
      expect([...changed].toSorted()).toEqual(CHANGED.toSorted());
    });

    it('knows the people and their passwords', async () => {
      for (const [username, password] of Object.entries(before.passwords))
        expect(await client.signInAs(username, password)).not.toBe('');
    });
  });
});
