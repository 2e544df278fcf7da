import { CALL_CHANGES_STREAM, CALLS_CHANGED_SUBJECT, type CallsChanged } from '@ringdown/contracts/calls';
import { PARTITIONS } from '@ringdown/contracts/records';
import { eventually } from '@ringdown/testing/eventually';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { shortestMs } from '@ringdown/testing/timing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Call } from '../src/calls/call.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

const MAIN = programFile('aggregator');

describe('replicas of the aggregator', () => {
  let around: Surroundings;
  const children: ChildProcess[] = [];
  /** The states of each call in the order in which they were published. */
  const publishedCalls = new Map<string, string[]>();

  beforeAll(async () => {
    around = await Surroundings.start();
    around.bus.subscribe(CALLS_CHANGED_SUBJECT, (message) => {
      for (const { callId, version, state } of (message as CallsChanged<Call>).calls) {
        publishedCalls.set(callId, [...(publishedCalls.get(callId) ?? []), `${version} ${state}`]);
      }
    });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await killed(child);
    await around.stopAggregators();
  });
  afterAll(() => around.stop());

  /** A replica in a process of its own, so that it can be killed. */
  function startProcess(): ChildProcess {
    const env = {
      ...programEnvironment(),
      NATS_URL: around.nats.urlOf('aggregator'),
      DATABASE_URL: around.database.url,
      SERVICE_PORT: '0',
      INNER_PORT: '0',
    };
    const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
    children.push(child);
    return child;
  }

  async function killed(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async function partitionsOf(replica: RunningAggregator): Promise<number> {
    return Number(await replica.metric(/^ringdown_aggregator_partitions (\d+)/m));
  }

  function share(replica: RunningAggregator, partitions: number): Promise<boolean> {
    const is = async (): Promise<boolean> => (await partitionsOf(replica)) === partitions;
    return eventually(`a share of ${partitions}`, is);
  }

  /** A start and an end of each, in all partitions. Resolves as soon as all is stored on the bus. */
  async function publishCalls(prefix: string, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const record = { callId: `${prefix}-${n}`, frontEnd: prefix };
      await around.publish(published(startXml(record)), published(endXml(record)));
    }
  }

  /** The number of calls of that front end that have ended and consist of exactly their two records. */
  async function exactCalls(replica: RunningAggregator, prefix: string): Promise<number> {
    const path = `/api/calls?frontEnd=${prefix}&limit=100`;
    const calls = await replica.all<{ state: string; version: number }>(path, around.operator);
    return calls.filter(({ state, version }) => state === 'ended' && version === 2).length;
  }

  /** The published states of a test's calls that were not the start and then the end, or one of the two. */
  function outOfOrder(prefix: string): readonly string[] {
    const ofTest = [...publishedCalls].filter(([callId]) => callId.startsWith(`${prefix}-`));
    expect(ofTest.length).toBeGreaterThan(0);
    const inOrder = new Set(['1 active,2 ended', '2 ended', '1 active']);
    return ofTest.map(([, states]) => states.join()).filter((states) => !inOrder.has(states));
  }

  it('share the partitions evenly, and hand over at once when one stops, with every call in order', async () => {
    const first = await around.startAggregator();
    await share(first, PARTITIONS);
    const second = await around.startAggregator();
    await share(second, PARTITIONS / 2);
    await share(first, PARTITIONS / 2);
    const publishing = publishCalls('moving', 100);
    await first.stop();
    await publishing;
    await share(second, PARTITIONS);
    const all = async (): Promise<boolean> => (await exactCalls(second, 'moving')) === 100;
    expect(await eventually('all calls', all)).toBe(true);
    const everyEnd = (): boolean =>
      [...publishedCalls].filter(([id, states]) => id.startsWith('moving-') && states.at(-1) === '2 ended').length ===
      100;
    await eventually('the end of each call to be published', everyEnd);
    expect(outOfOrder('moving')).toEqual([]);
  });

  it('replace a killed replica within ten seconds, count nothing twice and keep the order', async () => {
    const survivor = await around.startAggregator();
    await share(survivor, PARTITIONS);
    let tries = 0;
    const msToTakeOver = async (): Promise<number> => {
      const victim = startProcess();
      await share(survivor, PARTITIONS / 2);
      const calls = `orphaned${++tries}`;
      const publishing = publishCalls(calls, 200);
      await killed(victim);
      const killedAt = performance.now();
      await share(survivor, PARTITIONS);
      const ms = performance.now() - killedAt;
      await publishing;
      await eventually('all calls', async () => (await exactCalls(survivor, calls)) === 200);
      expect(outOfOrder(calls)).toEqual([]);
      return ms;
    };
    expect(await shortestMs(10_000, msToTakeOver)).toBeLessThan(10_000);
  });

  it('share the partitions, and read all of them, also while changed calls cannot be published', async () => {
    const first = await around.startAggregator();
    await share(first, PARTITIONS);
    const { streams } = around.bus.jsm;
    await streams.update(CALL_CHANGES_STREAM, { max_msg_size: 1 });
    await publishCalls('unpublished', 20);
    await eventually('all calls', async () => (await exactCalls(first, 'unpublished')) === 20);
    const second = await around.startAggregator();
    await share(second, PARTITIONS / 2);
    await share(first, PARTITIONS / 2);
    await publishCalls('unpublished-too', 20);
    const all = async (): Promise<boolean> => (await exactCalls(second, 'unpublished-too')) === 20;
    expect(await eventually('all calls', all)).toBe(true);
    await streams.update(CALL_CHANGES_STREAM, { max_msg_size: -1 });
  });

  it('continue without help after an outage of the bus', async () => {
    const only = await around.startAggregator();
    await share(only, PARTITIONS);
    await around.nats.kill();
    await around.nats.restart();
    const answers = async (): Promise<boolean> =>
      (await only.get('/api/calls?frontEnd=after', around.operator)).status === 200;
    await eventually('a reply to operators again', answers);
    const publishing = async (): Promise<boolean> => {
      await publishCalls('after', 20).catch(() => undefined);
      return (await exactCalls(only, 'after')) === 20;
    };
    expect(await eventually('the calls', publishing)).toBe(true);
    await share(only, PARTITIONS);
  });
});
