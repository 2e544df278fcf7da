import { jest } from '@jest/globals';
import { reportFault, faultRepetitions } from '@ringdown/aggregator/test/faults/report.js';
import { eventually } from '@ringdown/testing/eventually';
import { FeedLoad } from '@ringdown/testing/feed-load';
import {
  freePorts,
  launch,
  type LaunchedSystem,
  logged,
  type Ports,
  running,
  SystemClient,
} from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startXml } from '../feed-examples.js';

jest.setTimeout(300_000);

const DESCRIPTORS = 256;
const CONNECTIONS = 300;
/** Two probes of the bus, at least. */
const PROBES_MS = 10_000;
const SENDERS = 4;

describe(`${CONNECTIONS} idle connections to each port of a system with ${DESCRIPTORS} descriptors`, () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-idle-'));
  const idle: Socket[] = [];
  let ports: Ports;
  let system: LaunchedSystem;

  beforeAll(async () => {
    await seedDatabase(join(folder, 'database'));
    ports = await freePorts();
    system = launch({ ...ports, DATA_DIR: folder }, DESCRIPTORS);
    started.add(system);
    await running(system);
  });
  afterAll(async () => {
    for (const socket of idle) socket.destroy();
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  function occupy(port: string): void {
    for (let n = 0; n < CONNECTIONS; n++) idle.push(connect(Number(port), '127.0.0.1').on('error', () => undefined));
  }

  it('end no server, lose no record, and leave room for other clients', async () => {
    await logged(system, /may open only 256 files and connections .*reduced WEB_MAX_CONNECTIONS from 20000 to/);
    const base = `http://127.0.0.1:${ports.COLLECTOR_PORT}/Ringdown/RequestMessage`;
    const load = new FeedLoad({
      bases: [base],
      senders: SENDERS,
      paceMs: 100,
      record: ({ callId }) => startXml(callId),
    });
    await load.untilAcknowledged(20);
    const tries = faultRepetitions(3);
    for (let round = 0; round < tries; round++) {
      occupy(ports.PORT);
      occupy(ports.COLLECTOR_PORT);
      await sleep(PROBES_MS);
      // Those of the load were there before.
      await load.untilAcknowledged(20);
      for (const socket of idle.splice(0)) socket.destroy();
    }
    await load.stop();
    expect(system.stderr()).not.toMatch(/does not respond|ended unexpectedly|lost the message bus/);
    const client = started.add(new SystemClient(folder, ports));
    const token = await client.signIn('carol');
    const lost = new Set(load.acknowledged);
    await eventually('all calls', async () => {
      for (const callId of lost) {
        if ((await client.as(token, `/api/calls/${callId}`)).status !== 200) return false;
        lost.delete(callId);
      }
      return true;
    });
    const fault = `${CONNECTIONS} idle connections to each port of a system with ${DESCRIPTORS} descriptors`;
    reportFault(fault, tries, load.acknowledged.size, { lost: [...lost], double: [], foreign: [] });
    expect(lost.size).toBe(0);
  });
});
