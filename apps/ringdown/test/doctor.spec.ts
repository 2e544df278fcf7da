import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly text: string;
  readonly remedy?: string;
}

describe('npm run doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-doctor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function doctor(
    env: Readonly<Record<string, string>>,
  ): Promise<{ code: unknown; of: (check: string) => Finding[] }> {
    const given = { ...programEnvironment(), HOME: process.env['HOME'], LISTEN_HOST: '127.0.0.1', ...env };
    const child = spawn(process.execPath, [programFile('ringdown', 'doctor'), '--json'], { cwd: folder, env: given });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    if (stdout === '') throw new Error(stderr);
    const findings: readonly Finding[] = JSON.parse(stdout);
    return { code, of: (check) => findings.filter((each) => each.check === check) };
  }

  it('finds no problem before the first start, and makes no file', async () => {
    const data = join(folder, 'fresh');
    const { code, of } = await doctor({ ...(await freePorts()), DATA_DIR: data });
    expect(code).toBe(0);
    expect(of('settings')).toEqual([{ check: 'settings', state: 'ok', text: 'all can be read' }]);
    expect(of('state')).toMatchObject([{ state: 'ok', text: 'it does not run' }]);
    expect(existsSync(data)).toBe(false);
  });

  it('names the program that has a port, and none when its remedy was carried out', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port }: { port?: number } = Object(other.address());
    const env = { ...(await freePorts()), DATA_DIR: join(folder, 'ports') };
    const taken = await doctor({ ...env, PORT: String(port) });
    other.close();
    expect(taken.code).toBe(1);
    const [found] = taken.of('ports');
    expect(found?.text).toContain(`port ${port} is in use by `);
    expect(found?.text).toContain(`(process ${process.pid})`);
    const [, free = ''] = /PORT=(\d+)$/.exec(found?.remedy ?? '') ?? [];
    expect(Number(free)).toBe((port ?? 0) + 1_000);
    expect((await doctor(env)).of('ports')).toMatchObject([{ state: 'ok' }]);
  });

  it('names the line of a setting that cannot be read, and looks at the rest when it is right', async () => {
    const file = join(folder, 'ringdown.env');
    writeFileSync(file, '# first\nPORT=http\n');
    const wrong = { DATA_DIR: join(folder, 'settings'), RINGDOWN_ENV_FILE: file };
    const refused = await doctor({ ...wrong, ...(await freePorts()), PORT: 'http' });
    expect(refused.code).toBe(2);
    expect(refused.of('settings')[0]?.remedy).toContain(`in line 2 of ${file}`);
    expect(refused.of('ports')).toEqual([]);
    chmodSync(file, 0o644);
    const readable = await doctor({ ...wrong, ...(await freePorts()) });
    expect(readable.code).toBe(0);
    expect(readable.of('rights')).toMatchObject([{ state: 'warning', remedy: `chmod o-rwx ${file}` }]);
    chmodSync(file, 0o600);
    expect((await doctor({ ...wrong, ...(await freePorts()) })).of('rights')).toMatchObject([{ state: 'ok' }]);
  });

  it('sees that a system runs, what clients get from it, and that it has crashed', async () => {
    const data = join(folder, 'running');
    await seedDatabase(join(data, 'database'));
    const env = { ...(await freePorts()), DATA_DIR: data };
    const system = launch(env);
    await running(system);
    const { code, of } = await doctor(env);
    expect(code).toBe(0);
    expect(of('ports')).toMatchObject([{ state: 'ok', text: expect.stringContaining('open') }]);
    expect(of('certificate')).toMatchObject([
      { state: 'warning', text: expect.stringMatching(/fingerprint is (?:[\dA-F]{2}:){31}/) },
    ]);
    expect(of('front ends').map(({ state }) => state)).toEqual(['warning', 'warning']);
    expect(of('state')).toMatchObject([{ text: expect.stringContaining('there is no backup in') }]);
    system.process.kill('SIGKILL');
    await system.ended;
    expect((await doctor(env)).of('state')[0]?.text).toContain('has ended without a regular stop');
    const again = launch(env);
    await running(again);
    await again.stop();
    expect((await doctor(env)).of('state').map(({ text: each }) => each)).toEqual([
      expect.stringContaining('there is no backup in'),
    ]);
  });
});
