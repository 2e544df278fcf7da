import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { epochMillis } from '@ringdown/xml-schemas/fields';
import { eventEndpoints, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { createSocket, type Socket } from 'node:dgram';
import type { RunningSender } from '../src/run/running-sender.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { SipPlatform, TWO_HUNDRED_CALLS, type CallKind } from './sip-platform.js';
import { startSender } from './start-sender.js';
import { lossReport } from '@ringdown/call-capture/test/write-rtcp.js';

/** A call as a reader of the feed assembles it. */
interface ReadCall {
  readonly parties: ReadonlySet<string>;
  readonly seconds: number | undefined;
  readonly responseCode: number | undefined;
  readonly measured: number;
  readonly isOver: boolean;
}

function readCall(records: readonly DiagnosticsRecord[]): ReadCall {
  const events = records.flatMap((record) =>
    record.events.map((event) => ({ event, at: epochMillis(record.connection.timeStamp) ?? 0 })),
  );
  const start = events.find(({ event }) => event.kind === 'startOrUpdate');
  const end = events.find(({ event }) => event.kind === 'ended');
  const error = events.map(({ event }) => event).find((event) => event.kind === 'error');
  const named = events.flatMap(({ event }) => eventEndpoints(event));
  return {
    // Each sipp has a port of its own.
    parties: new Set(named.flatMap(({ uri }) => uri?.replace(/:\d+$/, '') ?? [])),
    seconds: start && end && (end.at - start.at) / 1_000,
    responseCode: error?.responseCode?.code,
    measured: events.filter(({ event }) => event.kind === 'qualityUpdate').length,
    isOver: end !== undefined || error !== undefined,
  };
}

function platformCallCounts(calls: readonly ReadCall[], kindOf: (call: ReadCall) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(calls, kindOf)].map(([kind, { length }]) => [kind, length]));
}

describe('a real SIP platform', () => {
  const started = new Started();
  let collector: RecordingCollector;
  let metrics: Metrics;
  let sender: RunningSender;
  let platform: SipPlatform;
  let rtcp: Socket;
  let records: DiagnosticsRecord[];

  function calls(): ReadCall[] {
    return [...Map.groupBy(records, ({ connection }) => connection.callId).values()].map(readCall);
  }

  function listen(onRecord: (record: DiagnosticsRecord) => void = () => undefined): void {
    collector.onRecord = ({ body }) => {
      const message = readFeedMessage(Buffer.from(body), defaultProfile);
      if (message.kind !== 'record') return;
      records.push(message.record);
      onRecord(message.record);
    };
  }

  async function outcome(name: string): Promise<number> {
    const metric = await metrics.registry.getSingleMetric('ringdown_sender_records_total')?.get();
    return metric?.values.find(({ labels }) => labels['outcome'] === name)?.value ?? 0;
  }

  beforeEach(async () => {
    records = [];
    metrics = new Metrics();
    collector = started.add(await RecordingCollector.start());
    sender = started.add(
      await startSender(collector.url, {
        frontEnd: 'kamailio',
        version: '1.0',
        queueLength: 10_000,
        limits: { qualityWaitMs: 200 },
        metrics,
      }),
    );
    platform = started.add(await SipPlatform.start(sender.port));
    rtcp = createSocket('udp4');
  });

  afterEach(async () => {
    await started.stopAll();
    rtcp.close();
  });

  it('gets records of its 200 calls with parties, durations, quality and failures', async () => {
    listen(({ connection: { callId }, events: [first] }) => {
      if (first?.kind !== 'startOrUpdate') return;
      rtcp.send(lossReport(callId, first.to ?? {}), sender.port, '127.0.0.1');
    });
    await platform.placeAll(TWO_HUNDRED_CALLS);
    const all = await eventually('200 calls that are over', () => {
      const read = calls();
      const measured = read.filter((call) => call.measured > 0).length;
      return read.filter(({ isOver }) => isOver).length >= 200 && measured >= 150 && read;
    });
    expect(
      [...new Set(records.map(({ connection }) => connection.callId))].filter((id) => !platform.isOwn(id)),
    ).toEqual([]);
    expect(all).toHaveLength(200);
    const between = (called: CallKind): string => [platform.uriOf(called), platform.uriOf('caller')].join(' ');
    const talked = all.filter(({ seconds }) => seconds !== undefined);
    const lengths = talked.map(({ seconds = 0 }) => seconds).sort((a, b) => a - b);
    // On a busy machine some calls last longer than they should, but none shorter.
    expect(lengths.filter((seconds, n) => seconds < (n < 110 ? 1.9 : 3.9))).toEqual([]);
    expect(lengths[0]).toBeLessThan(3);
    expect(talked.map(({ measured }) => measured)).toEqual(talked.map(() => 1));
    expect(platformCallCounts(all, ({ responseCode }) => String(responseCode))).toEqual({
      undefined: 150,
      403: 15,
      486: 20,
      487: 15,
    });
    expect(platformCallCounts(all, (call) => [...call.parties].sort().join(' '))).toEqual({
      [between('answer')]: 150,
      [between('busy')]: 20,
      [between('forbidden')]: 15,
      [between('ring')]: 15,
    });
  });

  it('gets records again after an outage of the collector', async () => {
    listen();
    const reported = async (): Promise<number> => (await outcome('answered')) + (await outcome('lost'));
    const early = platform.place({ kind: 'answer', count: 20, rate: 20, talkMs: 2_000 });
    await eventually('a first call', () => calls().length > 0);
    await collector.stop();
    await early;
    await eventually('all to be sent or lost', async () => (await reported()) === 40);
    await collector.start();
    const before = calls().length;
    expect(await outcome('lost')).toBeGreaterThan(20);
    await platform.place({ kind: 'answer', count: 20, rate: 20, talkMs: 500 });
    await eventually('the calls after it', async () => (await reported()) === 80);
    expect(calls()).toHaveLength(before + 20);
    expect(calls().filter(({ isOver }) => isOver)).toHaveLength(20);
  });
});
