import { freePorts, launch, type LaunchedSystem } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Rejects when nothing listens there. */
async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

describe('a system that starts', () => {
  const data = mkdtempSync(join(tmpdir(), 'ringdown-ready-'));
  let system: LaunchedSystem | undefined;
  afterAll(async () => {
    await system?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it('says that it is ready only when its ports accept connections', async () => {
    await seedDatabase(join(data, 'database'));
    const ports = await freePorts();
    const { PORT: inner } = await freePorts();
    system = launch({ ...ports, INNER_PORT: inner, DATA_DIR: data });
    const ready = `http://127.0.0.1:${inner}/health/ready`;
    // As often as it can be asked: parts are well before anything listens.
    while ((await fetch(ready).catch(() => undefined))?.ok !== true) await sleep(1);
    const both = [ports.PORT, ports.COLLECTOR_PORT].map((port) => accepts(Number(port)));
    await expect(Promise.all(both)).resolves.toHaveLength(2);
  });
});
