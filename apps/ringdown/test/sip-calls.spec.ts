import { startCollector } from '@ringdown/collector/test/collector-process.js';
import { freePort } from '@ringdown/embedded';
import { sender, startSender as startProgram } from '@ringdown/sender/test/programs.js';
import { SipPlatform, TWO_HUNDRED_CALLS, type CallKind } from '@ringdown/sender/test/sip-platform.js';
import { lossReport } from '@ringdown/call-capture/test/write-rtcp.js';
import { eventually } from '@ringdown/testing/eventually';
import {
  freePorts,
  launch,
  type LaunchedSystem,
  type Ports,
  running,
  SystemClient,
} from '@ringdown/testing/launched-system';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ListedCall {
  readonly callId: string;
  readonly state: string;
  readonly duration: { readonly seconds: number } | null;
  readonly parties: readonly { readonly uri: string }[];
  readonly streams: readonly { readonly to: { readonly ip: string; readonly port: number } }[];
  readonly errors: readonly { readonly code: number }[];
  readonly quality: readonly unknown[];
  readonly verdict: string;
}

const IS_OVER = new Set(['ended', 'failed']);

function listedCallCounts(calls: readonly ListedCall[], kindOf: (call: ListedCall) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(calls, kindOf)].map(([kind, { length }]) => [kind, length]));
}

/** The properties that are the same each time the two hundred calls are placed. */
/** sipp writes its port into the addresses of users. */
function withoutPort(uri: string): string {
  return uri.replace(/:\d+$/, '');
}

function listedCallsSummary(calls: readonly ListedCall[]): object {
  const ended = calls.filter(({ state }) => state === 'ended');
  const lengths = ended.map(({ duration }) => duration?.seconds ?? -1).toSorted((a, b) => a - b);
  return {
    calls: calls.length,
    // On a busy machine some calls may take longer than planned, but none may be shorter.
    isShortestAsPlaced: Math.abs((lengths[0] ?? 0) - 2) < 1,
    shorterThanPlaced: lengths.filter((seconds, n) => seconds <= (n < 110 ? 1 : 3)),
    outcomes: listedCallCounts(calls, ({ state, errors }) => [state, ...errors.map(({ code }) => code)].join(' ')),
    parties: listedCallCounts(calls, ({ parties }) =>
      [...new Set(parties.map(({ uri }) => withoutPort(uri)))].toSorted().join(' '),
    ),
  };
}

function theTwoHundredOf(platform: SipPlatform): object {
  const between = (called: CallKind): string => [platform.uriOf(called), platform.uriOf('caller')].join(' ');
  return {
    calls: 200,
    isShortestAsPlaced: true,
    shorterThanPlaced: [],
    outcomes: { ended: 150, 'failed 403': 15, 'failed 486': 20, 'failed 487': 15 },
    parties: { [between('answer')]: 150, [between('busy')]: 20, [between('forbidden')]: 15, [between('ring')]: 15 },
  };
}

/** sipp -> Kamailio -> HEP -> the sender -> collector -> bus -> aggregator -> database -> query API, all of them real. */
describe('calls of a real SIP platform, in the query API', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sip-calls-'));
  /** Each test has its own, so that they can share a system. */
  let frontEnd: string;
  let ports: Ports;
  let nats: TestNats;
  let system: LaunchedSystem;
  /** In its own process, as in compose, so that it can be stopped while all others continue. */
  let collector: ServiceProcess;
  let client: SystemClient;
  let token: string;
  let settings: Record<string, string>;
  let agent: Socket;
  let platform: SipPlatform;

  /** With a platform in front of it. */
  async function startSender(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    frontEnd = name;
    settings = {
      HEP_HOST: '127.0.0.1',
      HEP_PORT: '0',
      INNER_PORT: String(await freePort()),
      SUBMIT_URI: collector.base,
      FRONT_END: frontEnd,
      ...more,
    };
    const program = startProgram(['run'], settings);
    const stop = async (): Promise<void> => {
      program.kill('SIGTERM');
      await program.ended;
    };
    started.add({ stop });
    const port = Number(await eventually('the sender', () => /"port":(\d+)/.exec(program.stderrText())?.[1]));
    platform = started.add(await SipPlatform.start(port));
    agent = connect(port, '127.0.0.1');
    await once(agent, 'connect');
    started.add({ stop: () => Promise.resolve(void agent.destroy()) });
  }

  /** Calls that were not placed are as wrong as missing ones, so they are searched for, too. */
  async function listCalls(): Promise<readonly ListedCall[]> {
    const { text } = await client.as(token, `/api/calls?frontEnd=${frontEnd}&limit=200`);
    const { items, next }: { readonly items: ListedCall[]; readonly next: string | null } = JSON.parse(text);
    const strange = items.filter(({ callId }) => !platform.isOwn(callId));
    if (next !== null || strange.length > 0) {
      const shown = (strange.length > 0 ? strange : items).map((call) => JSON.stringify(call));
      throw new Error(`there are ${next === null ? '' : 'more than '}${items.length} calls: ${shown.join('\n')}`);
    }
    return items;
  }

  /** The report of the platform's media relay for each call that has begun, once. */
  function reportQuality(calls: readonly ListedCall[], reported: Set<string>): void {
    for (const { callId, streams } of calls) {
      const [stream] = streams;
      if (!stream || reported.has(callId)) continue;
      reported.add(callId);
      agent.write(lossReport(callId, stream.to));
    }
  }

  beforeAll(async () => {
    ports = await freePorts();
    await seedDatabase(join(folder, 'data', 'database'));
    nats = await startNats();
    collector = await startCollector({ NATS_URL: nats.urlOf('collector') });
    system = launch({ ...ports, DATA_DIR: join(folder, 'data'), NATS_URL: nats.url });
    await running(system);
    client = new SystemClient(join(folder, 'data'), ports);
    token = await client.signIn('carol');
  });

  afterEach(() => started.stopAll());

  afterAll(async () => {
    await collector.stop();
    await client.stop();
    await system.stop();
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are the 200 that were placed, with their users, duration, quality, and the reason of each failure', async () => {
    await startSender('kamailio-1');
    const reported = new Set<string>();
    const placed = platform.placeAll(TWO_HUNDRED_CALLS);
    const all = await eventually('200 calls that are over, and how well they went', async () => {
      const calls = await listCalls();
      reportQuality(calls, reported);
      const over = calls.filter(({ state }) => IS_OVER.has(state)).length;
      return over >= 200 && calls.filter(({ quality }) => quality.length > 0).length >= 150 && calls;
    });
    await placed;
    expect(listedCallsSummary(all)).toEqual(theTwoHundredOf(platform));
    expect(all.filter(({ verdict }) => verdict === 'bad')).toHaveLength(150);
  });

  it('are the same 200 after an outage of the collector, when the sender is configured to keep records', async () => {
    await startSender('kamailio-2', { MAX_RETRY: '100000', SUBMIT_QUEUE_LEN: '10000', MAX_BACKOFF: '1' });
    const placed = platform.placeAll(TWO_HUNDRED_CALLS);
    await eventually('a first call', async () => (await listCalls()).length > 0);
    await collector.stop();
    await eventually('records that wait', async () => {
      const { stdout } = await sender(['status', '--json'], settings);
      const status: Record<string, number> = JSON.parse(stdout);
      return (status['retries_total'] ?? 0) > 0 && (status['queue_length'] ?? 0) > 0;
    });
    await collector.launch();
    await placed;
    const isOver = async (): Promise<readonly ListedCall[] | false> => {
      const calls = await listCalls();
      return calls.filter(({ state }) => IS_OVER.has(state)).length >= 200 && calls;
    };
    const all = await eventually('200 calls that are over', isOver);
    expect(listedCallsSummary(all)).toEqual(theTwoHundredOf(platform));
  });
});
