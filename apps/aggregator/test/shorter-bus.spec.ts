import { BusCopy } from '@ringdown/testing/servers/bus-copy';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

/** Calls with a start and an end each, in all partitions. */
const BEFORE = 6;

interface FrontEnds {
  readonly items: readonly { readonly name: string; readonly records: number; readonly duplicates: number }[];
}

interface Outcome {
  /** Calls that consist of exactly their two records. */
  readonly exact: number;
  /** Records counted for their front end. */
  readonly records: number;
  readonly duplicates: number;
}

function allOf(calls: number): Outcome {
  return { exact: calls, records: calls * 2, duplicates: 0 };
}

describe('a bus that comes back without its newest messages', () => {
  const started = new Started();
  let folder: string;
  let around: Surroundings;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-shorter-'));
    around = started.add(await Surroundings.start({ busFolder: folder }));
  });
  afterEach(() => around.stopAggregators());
  afterAll(() => started.stopAll());

  /** Each waits for the one before, so that every record is its own message; retries while the bus is not reachable. */
  async function publish(prefix: string, calls: number): Promise<void> {
    for (let n = 0; n < calls; n++) {
      const record = { callId: `${prefix}-${n}`, frontEnd: prefix };
      for (const xml of [startXml(record), endXml(record)]) {
        const one = published(xml);
        await eventually('the bus', () =>
          around.publish(one).then(
            () => true,
            () => false,
          ),
        );
      }
    }
  }

  /** The state of these calls, after all have ended. */
  async function outcomeOf(aggregator: RunningAggregator, prefix: string, calls: number): Promise<Outcome> {
    const found = await eventually(`${calls} calls of ${prefix}`, async () => {
      const path = `/api/calls?frontEnd=${prefix}&limit=100`;
      // No request is possible while the bus, which knows the tokens, is not reachable.
      const listed = aggregator.all<{ state: string; version: number }>(path, around.operator);
      const items = await listed.catch(() => []);
      return items.length === calls && items.every(({ state }) => state === 'ended') ? items : undefined;
    });
    const exact = found.filter(({ version }) => version === 2).length;
    const { body } = await eventually('the front ends', async () => {
      const answer = await aggregator.get<FrontEnds>('/api/front-ends?limit=100', around.operator);
      return answer.status === 200 && answer;
    });
    const { records, duplicates } = body.items.find(({ name }) => name === prefix) ?? { records: 0, duplicates: 0 };
    return { exact, records, duplicates };
  }

  /** Calls that the bus loses after they were stored, and calls that follow. */
  describe.each([
    ['more', 6, 14],
    ['fewer', 14, 6],
  ])('and stores %s messages than it has lost', (more, lost, following) => {
    const of = (test: string): Record<'before' | 'lost' | 'after', string> => {
      const front = `${test}-${more}`;
      return { before: `${front}-before`, lost: `${front}-lost`, after: `${front}-after` };
    };

    it('does not make a running aggregator lose calls', async () => {
      const { before, lost: gone, after } = of('running');
      const aggregator = await around.startAggregator();
      await publish(before, BEFORE);
      expect(await outcomeOf(aggregator, before, BEFORE)).toEqual(allOf(BEFORE));
      const copy = started.add(await BusCopy.create(around.nats, folder));
      await publish(gone, lost);
      expect(await outcomeOf(aggregator, gone, lost)).toEqual(allOf(lost));
      await copy.restore();
      await publish(after, following);
      expect(await outcomeOf(aggregator, after, following)).toEqual(allOf(following));
      expect(await outcomeOf(aggregator, gone, lost)).toEqual(allOf(lost));
      expect(await outcomeOf(aggregator, before, BEFORE)).toEqual(allOf(BEFORE));
    });

    it('does not make aggregators lose calls that start when all messages are there', async () => {
      const { before, lost: gone, after } = of('starting');
      const first = await around.startAggregator();
      await publish(before, BEFORE);
      const copy = started.add(await BusCopy.create(around.nats, folder));
      await publish(gone, lost);
      expect(await outcomeOf(first, gone, lost)).toEqual(allOf(lost));
      await first.stop();
      await copy.restore();
      await publish(after, following);
      const [one, two] = await Promise.all([around.startAggregator(), around.startAggregator()]);
      expect(await outcomeOf(one, after, following)).toEqual(allOf(following));
      expect(await outcomeOf(two, before, BEFORE)).toEqual(allOf(BEFORE));
    });

    it('does not make aggregators lose calls while partitions are handed over', async () => {
      const { before, lost: gone, after } = of('handed');
      const [one, two] = await Promise.all([around.startAggregator(), around.startAggregator()]);
      await publish(before, BEFORE);
      const copy = started.add(await BusCopy.create(around.nats, folder));
      await publish(gone, lost);
      expect(await outcomeOf(one, gone, lost)).toEqual(allOf(lost));
      let stopping: Promise<void> = Promise.resolve();
      await copy.restore(() => Promise.resolve((stopping = one.stop())).then(() => undefined));
      await publish(after, following);
      await stopping;
      expect(await outcomeOf(two, after, following)).toEqual(allOf(following));
      expect(await outcomeOf(two, before, BEFORE)).toEqual(allOf(BEFORE));
    });
  });
});
