import {
  PARTITIONS,
  partitionOfCall,
  RECORDS_STREAM,
  recordsSubject,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordPublisher } from '../src/index.js';
import { ensureFeedStreams } from '../src/doors/streams.js';

const LIMITS = { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 };

function record(callId: string): PublishedRecord {
  return { id: callId, receivedAt: 1, xml: '<x/>', record: { connection: { callId, frontEnds: [] }, events: [] } };
}

describe('the health check of a publisher', () => {
  const started = new Started();
  let bus: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  it('fails after a record was not stored, and works again when a message without records can be stored', async () => {
    const publisher = new RecordPublisher({ bus, deadlineMs: 300 });
    await publisher.assertStores();
    await expect(publisher.publish(record('lost'))).rejects.toThrow('did not store the record');
    await expect(publisher.assertStores()).rejects.toThrow('the message bus did not store records: ');
    await ensureFeedStreams(bus, LIMITS);
    // No front end tries it.
    await publisher.assertStores();
    const { messages } = (await bus.jsm.streams.info(RECORDS_STREAM)).state;
    await publisher.assertStores();
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).state.messages).toBe(messages);
    await publisher.publish(record('stored'));
    expect(publisher.accepted.byPartition.reduce((sum, records) => sum + records, 0)).toBe(1);
    expect(publisher.accepted.byPartition).toHaveLength(PARTITIONS);
  });

  it('fails while a record of the size that failed cannot be stored, although a smaller one can', async () => {
    await ensureFeedStreams(bus, LIMITS);
    const publisher = new RecordPublisher({ bus, deadlineMs: 300 });
    await bus.jsm.streams.update(RECORDS_STREAM, { max_msg_size: 1_000 });
    const large = { ...record('large'), xml: 'x'.repeat(2_000) };
    await expect(publisher.publish(large)).rejects.toThrow('did not store the record');
    await publisher.publish(record('small'));
    await expect(publisher.assertStores()).rejects.toThrow('the message bus did not store records: ');
    await bus.jsm.streams.update(RECORDS_STREAM, { max_msg_size: -1 });
    await publisher.assertStores();
    await publisher.publish(large);
  });

  it('fails while the partition that failed cannot be stored, although another one can', async () => {
    await ensureFeedStreams(bus, LIMITS);
    const publisher = new RecordPublisher({ bus, deadlineMs: 300 });
    const ids = Array.from({ length: 30 }, (_, n) => `call ${n}`);
    const [stored = '', lost = ''] = [0, 1].map((partition) => ids.find((id) => partitionOfCall(id) === partition));
    await bus.jsm.streams.update(RECORDS_STREAM, { subjects: [recordsSubject(0)] });
    const outcomes = await Promise.allSettled([stored, lost].map((id) => publisher.publish(record(id))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(publisher.assertStores()).rejects.toThrow('the message bus did not store records: ');
    await ensureFeedStreams(bus, LIMITS);
    await publisher.assertStores();
  });

  it('is not needed by records that may still wait when older ones are out of time', async () => {
    await ensureFeedStreams(bus, LIMITS);
    await bus.jsm.streams.delete(RECORDS_STREAM);
    const publisher = new RecordPublisher({ bus, deadlineMs: 2_000 });
    const early = Promise.allSettled(['first', 'second'].map((id) => publisher.publish(record(id))));
    await sleep(1_500);
    const late = publisher.publish(record('late'));
    expect((await early).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await ensureFeedStreams(bus, LIMITS);
    await expect(late).resolves.toBeUndefined();
  });
});
