import { CALL_CHANGES_STREAM } from '@ringdown/contracts/calls';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { BUS_USER_NAMES, busUsers, busPermissions, streamAccounts } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { Surroundings } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

/** As ordered consumers are named: a foreign account cannot guess such a name. */
const UNGUESSABLE = /^[\w-]{20,}$/;

/** What other accounts could do to streams of the aggregator by headers and by names that they know. */
describe('the streams of an aggregator', () => {
  let around: Surroundings;

  beforeAll(async () => {
    around = await Surroundings.start();
    const aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'read' })));
    await around.call(aggregator, 'read');
  });
  afterAll(() => around.stop());

  it('do nothing that a header of another account asks, but compare and recognise', async () => {
    const foreign = BUS_USER_NAMES.filter((name) => busUsers[name].account !== 'FEED').flatMap((name) =>
      busPermissions(name, busUsers[name]).publish.filter((subject) => !subject.startsWith('$JS.')),
    );
    const own = [...streamAccounts()].filter(([, account]) => account === 'FEED').map(([stream]) => stream);
    const reached: string[] = [];
    for (const stream of own) {
      // Some of them are made when the database is prepared, beside the reading of records.
      const { config } = await eventually(stream, () => around.bus.jsm.streams.info(stream).catch(() => undefined));
      const first = (subject: string): string => subject.replace(/\.[*>].*$/, '');
      if (!foreign.some((subject) => config.subjects.some((stored) => subject.startsWith(first(stored))))) continue;
      reached.push(stream);
      expect({ stream, ...config }).toMatchObject({ stream, allow_rollup_hdrs: false });
      // Each lets a header delete, count, delay or bundle messages (nats-server 2.11 and 2.12).
      const more = ['allow_msg_ttl', 'allow_msg_counter', 'allow_msg_schedules', 'allow_atomic', 'allow_batched'];
      expect(more.filter((option) => Object(config)[option] === true)).toEqual([]);
    }
    expect(reached.toSorted()).toEqual([
      'DEAD_LETTERS',
      'KV_FRONT_ENDS',
      'KV_SERVICES',
      'RECORDS',
      'REJECTED',
      'SIP_FAILURES',
      'TRACES',
    ]);
  });

  it('have no reader of its own with a name that subscribers could know, where they may read by a name', async () => {
    const readersOf = async (stream: string): Promise<readonly { name: string; durable: string | undefined }[]> => {
      const readers = await around.bus.jsm.consumers.list(stream).next();
      return readers.map(({ name, config }) => ({ name, durable: config.durable_name }));
    };
    const [records, changes] = [await readersOf(RECORDS_STREAM), await readersOf(CALL_CHANGES_STREAM)];
    expect(records.length).toBeGreaterThan(0);
    for (const reader of [...records, ...changes]) {
      expect(reader).toEqual({ name: expect.stringMatching(UNGUESSABLE), durable: undefined });
    }
  });
});
