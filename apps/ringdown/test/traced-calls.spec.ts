import { SipPlatform } from '@ringdown/sender/test/sip-platform.js';
import { startSender } from '@ringdown/sender/test/programs.js';
import { freePort } from '@ringdown/embedded';
import {
  eventually,
  findProgram,
  freePorts,
  launch,
  running,
  seedDatabase,
  Started,
  SystemClient,
} from '@ringdown/testing';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ADVICE = 'this test compares with Wireshark (Debian: apt-get install tshark)';
/** Of one message: addresses, first line, Call-ID, CSeq; and its time, in seconds since 1970. */
const FIELDS = [
  'ip.src',
  'udp.srcport',
  'ip.dst',
  'udp.dstport',
  'sip.Request-Line',
  'sip.Status-Line',
  'sip.Call-ID',
  'sip.CSeq',
  'frame.time_epoch',
];
const CALLS = 6;
/** Between the network and the clock of the proxy. */
const LATEST_SECONDS = 2;

interface Seen {
  readonly key: string;
  readonly callId: string;
  readonly at: number;
}

/** What Wireshark reads in a capture. */
async function messagesIn(file: string): Promise<readonly Seen[]> {
  const fields = FIELDS.flatMap((field) => ['-e', field]);
  const options = ['-r', file, '-Y', 'sip', '-T', 'fields', '-E', 'separator=|', ...fields];
  const { stdout } = await execute(findProgram('tshark', ADVICE), options, { maxBuffer: 64 * 1_024 * 1_024 });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const parts = line.split('|');
      return { key: parts.slice(0, 8).join('|'), callId: parts[6] ?? '', at: Number(parts[8]) };
    });
}

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
    const child = spawn(findProgram('tshark', ADVICE), options, { stdio: 'ignore' });
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

  async function exported(callId: string): Promise<readonly Seen[]> {
    const path = `/api/calls/${encodeURIComponent(callId)}/messages.pcap`;
    if ((await client.as(operator, path)).status !== 200) return [];
    const file = join(folder, 'exported.pcap');
    writeFileSync(file, await client.bytesAs(operator, path));
    return messagesIn(file);
  }

  /** By Call-ID. */
  async function onTheWire(): Promise<ReadonlyMap<string, readonly Seen[]>> {
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

/** What was sent from one address to another, in its order: the proxy reports both directions at almost the same time. */
function byDirection(messages: readonly Seen[]): Record<string, readonly string[]> {
  const grouped = Map.groupBy(messages, ({ key }) => key.split('|', 4).join('|'));
  return Object.fromEntries([...grouped].map(([direction, sent]) => [direction, sent.map(({ key }) => key)]));
}

function byKey(one: Seen, other: Seen): number {
  return one.key.localeCompare(other.key) || one.at - other.at;
}
