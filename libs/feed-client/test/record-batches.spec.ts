import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeBatchReply } from '@ringdown/xml-schemas';
import { RECORD_BATCH, type RejectedOfBatch } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { collectorAddress } from '../src/collector-address.js';
import { RecordSender, SEND_ONCE, type Persistence, type RecordSenderOptions } from '../src/record-sender.js';
import { RecordingCollector, xml, type Received } from './recording-collector.js';

const AGAIN: Persistence = { ...SEND_ONCE, maxRetry: 100 };

function record(callId: string, rawSdp?: string): DiagnosticsRecord {
  return {
    version: '1.0',
    connection: { callId, frontEnds: ['fe1'], timeStamp: '2026-01-02T03:04:05.0000000Z' },
    events: [{ kind: 'startOrUpdate', mediaType: 'audio', codecs: [] }],
    ...(rawSdp === undefined ? {} : { rawSdp }),
  };
}

/** Call-ID and sequence number of each record of a post. */
function postedRecordKeys({ body }: Received): readonly string[] {
  return body.split('\n').map((text) => {
    const message = readFeedMessage(text, defaultProfile);
    if (message.kind !== 'record') throw new Error('not a record');
    const { callId, cseq } = message.record.connection;
    return `${callId} ${cseq}`;
  });
}

function rejection(position: number, status: number): RejectedOfBatch {
  return { position, status, code: 'bad-value', reason: 'Not like this.' };
}

describe('RecordSender with batches', () => {
  const started = new Started();
  let collector: RecordingCollector;
  /** Rejections of the batches to come, one list for each. */
  let rejections: (readonly RejectedOfBatch[])[];

  beforeEach(async () => {
    collector = started.add(await RecordingCollector.start());
    collector.configuration = '<Configuration Version="1.0" AcceptedBatch="4 2000"/>';
    rejections = [];
    collector.answer = (response, count): void => {
      const { path, body } = collector.received.at(-1) ?? { path: '', body: '' };
      if (!path.endsWith('/RecordBatch')) return xml(response, 200, `<Response><Count>${count}</Count></Response>`);
      const rejected = rejections.shift() ?? [];
      xml(response, 200, writeBatchReply({ count, stored: body.split('\n').length - rejected.length, rejected }));
    };
  });
  afterEach(() => started.stopAll());

  async function openSender(more: Partial<RecordSenderOptions> = {}): Promise<RecordSender> {
    const sender = new RecordSender({
      address: collectorAddress(`${collector.url}/LDL/RequestMessage`, defaultProfile),
      frontEnd: 'fe1',
      profile: defaultProfile,
      pause: () => Promise.resolve(),
      ...more,
    });
    started.add({ stop: () => Promise.resolve(sender.close()) });
    await sender.open();
    return sender;
  }

  /** Sends all of them; outcome of each. */
  async function sendAll(sender: RecordSender, records: readonly DiagnosticsRecord[]): Promise<readonly string[]> {
    const outcomes: string[] = [];
    while (outcomes.length < records.length) {
      const deliveries = await sender.sendBatch(records.slice(outcomes.length));
      outcomes.push(...deliveries.map((each) => ('status' in each ? `${each.outcome} ${each.status}` : each.outcome)));
    }
    return outcomes;
  }

  it('sends as many records in one post as the collector has announced', async () => {
    const outcomes = await sendAll(
      await openSender(),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((callId) => record(callId)),
    );
    expect(outcomes).toEqual(Array.from({ length: 6 }, () => 'answered'));
    expect(collector.records.map(postedRecordKeys)).toEqual([
      ['a 2', 'b 3', 'c 4', 'd 5'],
      ['e 6', 'f 7'],
    ]);
    const [first] = collector.records;
    expect(first).toMatchObject({
      path: '/LDL/RecordBatch',
      headers: { 'content-type': RECORD_BATCH.type, accept: 'text/xml' },
    });
  });

  it('sends no more bytes in one post than announced, and a larger record by itself', async () => {
    const records = [
      record('a', 'x'.repeat(3_000)),
      record('b', 'x'.repeat(1_200)),
      record('c', 'x'.repeat(1_200)),
      record('d'),
    ];
    expect(await sendAll(await openSender(), records)).toEqual(Array.from({ length: 4 }, () => 'answered'));
    expect(collector.records.map(postedRecordKeys)).toEqual([['a 2'], ['b 3'], ['c 4', 'd 5']]);
    expect(collector.records.map(({ path }) => path)).toEqual([
      '/LDL/RequestMessage',
      '/LDL/RequestMessage',
      '/LDL/RecordBatch',
    ]);
  });

  it.each(['<Configuration Version="1.0"/>', '<Configuration Version="1.0" AcceptedBatch="none"/>', 'ok'])(
    'sends one record for each post to a collector with the configuration %j',
    async (configuration) => {
      collector.configuration = configuration;
      const sender = await openSender();
      expect(sender.acceptsBatches).toBe(false);
      await sendAll(
        sender,
        ['a', 'b', 'c'].map((callId) => record(callId)),
      );
      expect(collector.records.map(postedRecordKeys)).toEqual([['a 2'], ['b 3'], ['c 4']]);
    },
  );

  it.each([
    ['with batches', '<Configuration Version="1.0" AcceptedBatch="4 2000"/>', false],
    ['without batches', '<Configuration Version="1.0"/>', true],
  ])(
    'knows whether a collector %s answers, which reads one record for each post or more',
    async (_name, configuration, isSingle) => {
      collector.configuration = configuration;
      const sender = new RecordSender({
        address: collectorAddress(`${collector.url}/LDL/RequestMessage`, defaultProfile),
        frontEnd: 'fe1',
        profile: defaultProfile,
      });
      started.add({ stop: () => Promise.resolve(sender.close()) });
      const seen = [sender.postsSingly];
      await sender.open();
      seen.push(sender.postsSingly);
      await collector.stop();
      expect(await sendAll(sender, [record('a'), record('b')])).toEqual(['lost', 'lost']);
      expect([...seen, sender.postsSingly]).toEqual([false, isSingle, false]);
    },
  );

  it('handles a rejected record of a batch as a rejected single one', async () => {
    rejections.push([rejection(1, 400), rejection(2, 503)]);
    const records = ['a', 'b', 'c', 'd'].map((callId) => record(callId));
    expect(await sendAll(await openSender(), records)).toEqual(['answered', 'refused 400', 'failed 503', 'answered']);
    expect(collector.records).toHaveLength(1);
  });

  it('sends the records that could not be stored again, each by itself, before those that follow', async () => {
    rejections.push([rejection(1, 503), rejection(2, 400), rejection(3, 503)]);
    const retries: string[] = [];
    const sender = await openSender({ persistence: AGAIN, onRetry: () => retries.push('again') });
    const records = ['a', 'b', 'c', 'd', 'e', 'f'].map((callId) => record(callId));
    const outcomes = await sendAll(sender, records);
    expect(outcomes).toEqual(['answered', 'answered', 'refused 400', 'answered', 'answered', 'answered']);
    expect(collector.records.map(postedRecordKeys)).toEqual([
      ['a 2', 'b 3', 'c 4', 'd 5'],
      ['b 3'],
      ['d 5'],
      ['e 6', 'f 7'],
    ]);
    expect(retries).toHaveLength(2);
  });

  it('sends one record for each post when a batch is rejected as a whole, without a gap in the numbers', async () => {
    const { answer } = collector;
    collector.answer = (response, count): void => {
      if (collector.received.at(-1)?.path.endsWith('/RecordBatch')) xml(response, 415, '<Error/>');
      else answer(response, count);
    };
    const outcomes = await sendAll(
      await openSender(),
      ['a', 'b', 'c'].map((callId) => record(callId)),
    );
    expect(outcomes).toEqual(['answered', 'answered', 'answered']);
    expect(collector.records.map(postedRecordKeys).slice(1)).toEqual([['a 2'], ['b 3'], ['c 4']]);
  });

  it('sends all records of a batch again that got no answer', async () => {
    const { answer } = collector;
    let cuts = 1;
    collector.answer = (response, count): void => {
      if (cuts-- > 0) response.socket?.destroy();
      else answer(response, count);
    };
    const sender = await openSender({ persistence: AGAIN });
    expect(
      await sendAll(
        sender,
        ['a', 'b', 'c'].map((callId) => record(callId)),
      ),
    ).toEqual(['answered', 'answered', 'answered']);
    expect(collector.records.map(postedRecordKeys)).toEqual([['a 2', 'b 3', 'c 4'], ['a 2'], ['b 3'], ['c 4']]);
  });

  it('loses all records of a batch that got no answer when nothing is sent again', async () => {
    collector.answer = (response): void => void response.socket?.destroy();
    const sender = await openSender();
    expect(await sender.sendBatch(['a', 'b'].map((callId) => record(callId)))).toMatchObject([
      { outcome: 'lost' },
      { outcome: 'lost' },
    ]);
  });

  it('treats an answer that does not belong to the batch as a failure', async () => {
    collector.answer = (response): void =>
      xml(response, 200, '<Response><Count>1</Count><Stored>1</Stored></Response>');
    const sender = await openSender();
    expect(
      await sendAll(
        sender,
        ['a', 'b'].map((callId) => record(callId)),
      ),
    ).toEqual(['failed 200', 'failed 200']);
  });
});
