import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

describe('records that the bus has dropped before they were read', () => {
  let around: Surroundings;

  beforeAll(async () => {
    around = await Surroundings.start();
  });
  afterAll(() => around.stop());

  const droppedOf = (aggregator: RunningAggregator): Promise<string | undefined> =>
    aggregator.metric(/aggregator_dropped_messages (\d+)/);

  it('are counted once, by every replica that starts, and the remaining ones are read', async () => {
    const first = await around.startAggregator();
    // With a message of its own the collector's side learns that it may: that one must not be among the lost.
    await eventually('bundles', async () => {
      await around.bundles.check();
      return around.bundles.isOpen;
    });
    await around.publish(published(startXml({ callId: 'read' })));
    await around.call(first, 'read');
    await eventually('the first count', async () => (await droppedOf(first)) === '0');
    await first.stop();

    for (const callId of ['gone-1', 'gone-2', 'gone-3', 'left']) await around.publish(published(startXml({ callId })));
    const { state } = await around.bus.jsm.streams.info(RECORDS_STREAM);
    await around.bus.jsm.streams.purge(RECORDS_STREAM, { seq: state.last_seq });

    const { logger, lines } = loggedLines();
    const others = [await around.startAggregator({}, logger), await around.startAggregator({}, logger)];
    for (const next of others) {
      await around.call(next, 'left');
      await eventually('the loss to be counted', async () => (await droppedOf(next)) === '3');
      expect(await next.get('/api/calls/gone-1', around.operator)).toMatchObject({ status: 404 });
    }
    const errors = lines.filter(({ msg }) => msg.startsWith('the bus has dropped messages'));
    expect(errors).toEqual([expect.objectContaining({ level: 50, messages: 3 })]);
  });
});
