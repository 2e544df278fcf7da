import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, logged, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { join } from 'node:path';
import { startXml } from './feed-examples.js';

describe('a disk that is too small for what the bus reserves', () => {
  const started = new Started();
  let disk: SmallDisk;

  beforeAll(async () => {
    disk = started.add(SmallDisk.mount(900));
    await seedDatabase(join(disk.folder, 'data', 'database'));
  });
  afterAll(() => started.stopAll());

  it('stops the first start, with the space that each setting reserves, if the operator has set one', async () => {
    const system = launch({
      ...(await freePorts()),
      DATA_DIR: join(disk.folder, 'none'),
      RECORDS_MAX_BYTES: '9000000000',
    });
    expect(await system.ended).toBe(2);
    expect(system.stderr()).toMatch(
      /^ringdown: the bus may use \d+ MiB .* RECORDS_MAX_BYTES 8583 MiB, DEAD_LETTERS_MAX_BYTES 256 MiB/,
    );
  });

  it('gets reduced limits at the first start, which stay when the disk has become full', async () => {
    const ports = await freePorts();
    const env = { ...ports, DATA_DIR: join(disk.folder, 'data') };
    const first = launch(env);
    await running(first);
    await logged(first, /reduced to \d+ MiB for records, \d+ MiB for dead letters and \d+ MiB for STATE_MAX_BYTES\n/);
    const client = new SystemClient(env.DATA_DIR, ports);
    expect(await client.post(startXml('before'))).toMatchObject({ status: 200 });
    await client.stop();
    await first.stop();
    disk.fill();
    disk.freeSpace(100);
    const second = launch(env);
    started.add(second);
    await running(second);
    const later = started.add(new SystemClient(env.DATA_DIR, ports));
    expect(await later.post(startXml('after'))).toMatchObject({ status: 200 });
    const token = await later.signIn('carol');
    await eventually('the call', async () => (await later.as(token, '/api/calls/before')).status === 200);
  });
});
