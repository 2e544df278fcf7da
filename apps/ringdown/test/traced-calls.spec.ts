import { SipPlatform } from '@ringdown/sender/test/sip-platform.js';
import { startSender } from '@ringdown/sender/test/programs.js';
import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { freePorts, launch, running, SystemClient } from '@ringdown/testing/launched-system';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { Started } from '@ringdown/testing/started';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byDirection, messagesIn, TSHARK_ADVICE, type WireMessage } from './wire-messages.js';

const CALLS = 6;
/** Between the network and the clock of the proxy. */
const LATEST_SECONDS = 2;

describe('the messages of real calls', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-traced-'));
  const started = new Started();
  let client: SystemClient;
  let operator: string;
  let platform: SipPlatform;
  let wire: string;

  beforeAll(async () => {
    const ports = await freePorts();
    await seedDatabase(join(folder, 'database'));
    await running(started.add(launch({ ...ports, DATA_DIR: folder })));
    client = started.add(new SystemClient(folder, ports));
    operator = await client.signIn('carol');
    const hepPort = await freePort();
    const sender = startSender(['run', '--to', client.collector], {
      TRACE: 'on',
      HEP_HOST: '127.0.0.1',
      HEP_PORT: String(hepPort),
      INNER_PORT: String(await freePort()),
      FRONT_END: 'traced',
    });
    started.add({
      stop: async () => {
        sender.kill('SIGTERM');
        await sender.ended;
      },
    });
    await eventually('the sender', () => sender.stderrText().includes('listening for HEP'));
    platform = started.add(await SipPlatform.start(hepPort));
    wire = await capture(platform.uriOf('caller').replace('sip:sipp@', ''));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function capture(host: string): Promise<string> {
    const file = join(folder, 'wire.pcap');
    const options = [
      '-i',
      'lo',
      '-F',
      'pcap',
      '-B',
      '16',
      '-w',
      file,
      '-f',
      `udp and src host ${host} and dst host ${host}`,
    ];
    const child = spawn(findProgram('tshark', TSHARK_ADVICE), options, { stdio: 'ignore' });
    started.add({
      stop: async () => {
        if (child.exitCode !== null) return;
        child.kill('SIGINT');
        await once(child, 'exit');
      },
    });
    await eventually('the capture', () => existsSync(file) && statSync(file).size > 0);
    return file;
  }

  async function exported(callId: string): Promise<readonly WireMessage[]> {
    const path = `/api/calls/${encodeURIComponent(callId)}/messages.pcap`;
    if ((await client.as(operator, path)).status !== 200) return [];
    const file = join(folder, 'exported.pcap');
    writeFileSync(file, await client.bytesAs(operator, path));
    return messagesIn(file);
  }

  /** By Call-ID. */
  async function onTheWire(): Promise<ReadonlyMap<string, readonly WireMessage[]>> {
    const own = (await messagesIn(wire)).filter(({ callId }) => platform.isOwn(callId));
    return Map.groupBy(own, ({ callId }) => callId);
  }

  it('are those that Wireshark sees on the wire, each once, with addresses and times', async () => {
    await platform.placeAll([
      { kind: 'answer', count: 3, rate: 3, talkMs: 500 },
      { kind: 'busy', count: 2, rate: 2 },
      { kind: 'forbidden', count: 1, rate: 1 },
    ]);
    await eventually('all calls on the wire', async () => (await onTheWire()).size === CALLS);
    for (const callId of (await onTheWire()).keys()) {
      // Messages may be repeated until the last answer arrives.
      const [seen, found] = await eventually(`the messages of ${callId}`, async () => {
        const wired = (await onTheWire()).get(callId) ?? [];
        const messages = await exported(callId);
        return messages.length === wired.length && ([wired, messages] as const);
      });
      expect(byDirection(found)).toEqual(byDirection(seen));
      const [early, late] = [seen.toSorted(byKey), found.toSorted(byKey)];
      const differences = early.map(({ at }, index) => Math.abs(at - (late[index]?.at ?? 0)));
      expect(Math.max(...differences)).toBeLessThan(LATEST_SECONDS);
    }
  }, 240_000);
});

function byKey(one: WireMessage, other: WireMessage): number {
  return one.key.localeCompare(other.key) || one.at - other.at;
}
