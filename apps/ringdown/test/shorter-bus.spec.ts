import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  running,
  SystemClient,
  type LaunchedSystem,
  type Ports,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startXml } from './feed-examples.js';

describe('the one-process system after its bus has lost its newest messages', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-shorter-'));
  const data = join(folder, 'data');
  const streams = join(data, 'nats', 'jetstream');
  const copy = join(folder, 'copy');
  let ports: Ports;

  beforeAll(async () => {
    ports = await freePorts();
    await seedDatabase(join(data, 'database'));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<{ readonly system: LaunchedSystem; readonly client: SystemClient }> {
    const system = started.add(launch({ ...ports, DATA_DIR: data }));
    await running(system);
    return { system, client: started.add(new SystemClient(data, ports)) };
  }

  /** The number of calls if each of them has exactly one record. */
  async function becomeCalls(client: SystemClient, callIds: readonly string[]): Promise<number> {
    const token = await client.signIn('carol');
    const versions: number[] = [];
    for (const callId of callIds) {
      const call = await eventually(callId, async () => {
        const { status, text } = await client.as(token, `/api/calls/${callId}`);
        return status === 200 && text;
      });
      versions.push(JSON.parse(call).version);
    }
    return versions.filter((version) => version === 1).length;
  }

  async function post(client: SystemClient, prefix: string, calls: number): Promise<readonly string[]> {
    const callIds = Array.from({ length: calls }, (_, n) => `${prefix}-${n}`);
    // One after another, so that each is a message of the bus.
    for (const callId of callIds) expect((await client.post(startXml(callId))).status).toBe(200);
    return callIds;
  }

  it('makes calls of all later records and keeps its earlier calls', async () => {
    const first = await start();
    const before = await post(first.client, 'before', 2);
    await becomeCalls(first.client, before);
    await first.system.stop();
    cpSync(streams, copy, { recursive: true });

    const second = await start();
    const gone = await post(second.client, 'lost', 8);
    await becomeCalls(second.client, gone);
    await second.system.stop();
    rmSync(streams, { recursive: true });
    cpSync(copy, streams, { recursive: true });

    const third = await start();
    const after = await post(third.client, 'after', 3);
    expect(await becomeCalls(third.client, [...after, ...gone, ...before])).toBe(13);
  });
});
