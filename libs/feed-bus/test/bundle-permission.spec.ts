import {
  bundleSubject,
  partitionOfCall,
  PARTITIONS,
  RECORDS_STREAM,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { errorReason } from '@ringdown/errors';
import { Bus } from '@ringdown/nats';
import { StreamWriter } from '@ringdown/nats/streams';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordPublisher, StreamBundleOffer } from '../src/index.js';
import { ensureFeedStreams, offerBundles } from '../src/doors/streams.js';

/** One call in each of the partitions. */
const CALLS = Array.from({ length: PARTITIONS }, (_, partition) => {
  for (let n = 0; ; n++) if (partitionOfCall(`call ${n}`) === partition) return `call ${n}`;
});

function record(callId: string): PublishedRecord {
  return { id: callId, receivedAt: 1, xml: '<x/>', record: { connection: { callId, frontEnds: [] }, events: [] } };
}

describe('messages with records of several partitions, on a bus whose permissions change', () => {
  const started = new Started();
  let folder: string;
  let bus: Bus;
  let collector: Bus;

  async function connected(url: string): Promise<Bus> {
    const each = await Bus.connect({ url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => each.close() });
    return each;
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-permission-'));
    const nats = started.add(await startNats({ folder }));
    [bus, collector] = [await connected(nats.url), await connected(nats.urlOf('collector'))];
    await ensureFeedStreams(bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 });
    await offerBundles(bus);
  });
  afterEach(() => started.stopAll());

  /** The server takes its configuration, without the lines with such a text, while it runs. */
  function withoutLines(without: RegExp): void {
    const file = join(folder, 'nats.conf');
    const lines = readFileSync(file, 'utf8').split('\n');
    const kept = lines.filter((line) => !without.test(line));
    expect(kept.length).toBeLessThan(lines.length);
    writeFileSync(file, kept.join('\n'));
    process.kill(Number(readFileSync(join(folder, 'nats-server.pid'), 'utf8')), 'SIGHUP');
  }

  /** Why the collector cannot store a bundle; empty when it can. */
  function refusal(): Promise<string> {
    const probe = { subject: bundleSubject([]), body: '{"v":1,"records":[]}', timeoutMs: 2_000 };
    return new StreamWriter(collector).store(probe).then(() => '', errorReason);
  }

  async function messages(): Promise<number> {
    return (await bus.jsm.streams.info(RECORDS_STREAM)).state.messages;
  }

  it.each([
    ['is not permitted', /ringdown\.bundles/, /permissions violation/i],
    ['does not reach the account of the stream', /service:.*ringdown\.bundles/, /no stream stores the message/],
  ])('are stored one partition at a time when a bundle %s any more', async (_, lines, reason) => {
    const bundles = new StreamBundleOffer(collector);
    await bundles.check();
    expect(bundles.isOpen).toBe(true);
    const publisher = new RecordPublisher({ bus: collector, bundles, deadlineMs: 20_000 });
    withoutLines(lines);
    // While the server reads its configuration, some requests have no responders.
    const before = await eventually('the configuration', async () => {
      return reason.test(await refusal()) && messages().catch(() => undefined);
    });
    await Promise.all(CALLS.map((callId) => publisher.publish(record(callId))));
    expect((await messages()) - before).toBe(PARTITIONS);
    expect(bundles.isOpen).toBe(false);
    const later = new StreamBundleOffer(collector);
    await later.check();
    expect(later.isOpen).toBe(false);
  });
});
