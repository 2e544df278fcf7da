import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunningFile } from './running-system.js';
import { readSystemStatus, type Status } from './status.js';

describe('the status of a system whose bus has lost records', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-status-'));
  let server: Server;
  let numbers: Readonly<Record<string, number>>;

  beforeAll(async () => {
    server = createServer(({ url }, response) => {
      const lines = Object.entries(numbers).map(([name, value]) => `ringdown_aggregator_${name} ${value}\n`);
      response.end(url === '/metrics' ? lines.join('') : '{"ready":true,"parts":{}}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    const { port } = server.address() as AddressInfo;
    const file = new RunningFile(folder);
    file.claim();
    const inner = `http://127.0.0.1:${port}`;
    file.announce({ addresses: [{ what: 'feed', url: 'http://127.0.0.1:1' }], inner, fingerprint: 'AB:CD' });
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  function statusWith(losses: Readonly<Record<string, number>>): Promise<Status> {
    numbers = { missing_records: 0, dropped_messages: 0, bus_shortened: 0, ...losses };
    return readSystemStatus(folder);
  }

  it('has the fingerprint of a certificate that was made here', async () => {
    const { lines } = await statusWith({});
    expect(lines.join('\n')).toMatch(/made here, so browsers warn about it.*\n +AB:CD\n/);
  });

  it('tells how many are missing', async () => {
    const { code, lines } = await statusWith({ missing_records: 211 });
    expect([code, lines[0]]).toEqual([1, expect.stringContaining('the bus has LOST records')]);
    expect(lines).toContain('       211 accepted records that the bus lost before they were read');
  });

  it('does not call that none while nobody knows how many', async () => {
    const { code, lines } = await statusWith({ bus_shortened: 1 });
    expect([code, lines[0]]).toEqual([1, expect.stringContaining('the bus has LOST records')]);
    expect(lines).toContain(
      '   unknown accepted records that the bus lost before they were read: it came back without its newest messages',
    );
    expect(await statusWith({ bus_shortened: 1, missing_records: 7 })).toMatchObject({
      lines: expect.arrayContaining([
        '  7 or more accepted records that the bus lost before they were read: it came back without its newest messages',
      ]),
    });
  });

  it('is 0 without losses', async () => {
    const { code, lines } = await statusWith({});
    expect(code).toBe(0);
    expect(lines).toContain('         0 accepted records that the bus lost before they were read');
  });
});
