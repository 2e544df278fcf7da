import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, type LaunchedSystem, running, SystemClient } from '@ringdown/testing/launched-system';
import { processesIn } from '@ringdown/testing/running-processes';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reportAt, upload, type UploadReport } from './uploaded-call.js';

interface StartedSystem {
  readonly system: LaunchedSystem;
  readonly upload: () => Promise<string>;
  readonly report: (path: string) => Promise<UploadReport>;
}

describe('the process that reads the capture of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-readers-'));
  const [data, temporary] = [join(folder, 'data'), join(folder, 'tmp')];
  const started = new Started();
  let ports: Awaited<ReturnType<typeof freePorts>>;

  beforeAll(async () => {
    mkdirSync(temporary);
    ports = await freePorts();
    await seedDatabase(join(data, 'database'));
  });
  afterEach(() => started.stopAll());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The system, and what its operator reads about a capture. */
  async function start(env: Record<string, string>): Promise<StartedSystem> {
    const system = started.add(launch({ ...ports, DATA_DIR: data, TMPDIR: temporary, ...env }));
    await running(system);
    const client = started.add(new SystemClient(data, ports));
    const token = await client.signIn('carol');
    return {
      system,
      upload: () => upload(client, token),
      report: (path) => reportAt(path, client, token),
    };
  }

  it('ends with a system that is killed, which reports after its restart that it was interrupted', async () => {
    const { server, url } = await silentCollector();
    started.add({ stop: async () => void server.close() });
    const first = await start({ CAPTURE_COLLECTOR: url });
    const path = await first.upload();
    await eventually('the reader', () => processesIn(temporary).length > 0);
    expect(await first.report(path)).toMatchObject({ state: 'reading' });
    first.system.process.kill('SIGKILL');
    await first.system.ended;
    await eventually('the end of the reader', () => processesIn(temporary).length === 0);
    const left = (): readonly string[] =>
      readdirSync(temporary).filter((name) => name.startsWith('ringdown-captures-'));
    expect(left()).toHaveLength(1);
    const again = await start({});
    expect(left()).toEqual([]);
    // A service counts as gone ten seconds after its last report.
    const seen = await eventually('the interruption', async () => {
      const read = await again.report(path);
      return read['state'] !== 'reading' && read;
    });
    expect(seen).toMatchObject({ state: 'failed', code: 'interrupted' });
  });
});

/** Accepts connections and never answers. */
async function silentCollector(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
