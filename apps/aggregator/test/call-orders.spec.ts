import * as fc from 'fast-check';
import { callIdIn, endXml, published, reportXml, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import { walkPages } from './walk-pages.js';
import { CALL_SORTS, type CallSort } from '../src/store/calls/call-orders.js';
import { CallQueries } from '../src/store/calls/call-queries.js';

const BEGIN = Date.parse('2026-03-02T10:00:00Z');
const LOSSES = [undefined, 0, 0.02, 0.02, 0.3];
const MOS = [undefined, 2.1, 3.9, 4.2];
const RINGS = [undefined, 0.5, 12];
const LASTED = [undefined, 60, 200];

/** Values to sort by as the records have them, with how bad the call is. */
interface Sorted {
  readonly id: string;
  readonly loss: number | undefined;
  readonly mos: number | undefined;
  readonly ringSeconds: number | undefined;
  readonly ended: number | undefined;
  readonly state: number;
}

/** Fields that the test knows of each call. */
const KNOWN = ['loss', 'mos', 'ringSeconds', 'ended', 'state'] as const;

const element = (name: string, value: number | undefined): string =>
  value === undefined ? '' : `<${name}>${value}</${name}>`;

describe('pages of calls sorted by any column', () => {
  let on: StoreUnderTest;
  let queries: CallQueries;
  const stored: Sorted[] = [];

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
    const records = Array.from({ length: 60 }, (_, n) => {
      const callId = callIdIn(0, `call-${n}-`);
      const [loss, mos] = [LOSSES[n % 5], MOS[n % 4]];
      const [ringSeconds, lasted] = [RINGS[n % 3], LASTED[(n >> 2) % 3]];
      const ended = lasted === undefined ? undefined : BEGIN + lasted * 1_000;
      stored.push({ id: callId, loss, mos, ringSeconds, ended, state: ended === undefined ? 1 : 3 });
      const ringTime = ringSeconds === undefined ? undefined : ringSeconds * 1_000;
      const metrics = element('PacketLossRate', loss) + element('OverallAvgNetworkMOS', mos);
      return [
        published(startXml({ callId, at: new Date(BEGIN).toISOString(), header: element('RingTime', ringTime) })),
        ...(metrics === '' ? [] : [published(reportXml({ callId }, 'audio', metrics))]),
        ...(ended === undefined ? [] : [published(endXml({ callId, at: new Date(ended).toISOString() }))]),
      ];
    });
    await on.commit(...records.flat());
  });
  afterAll(() => on.stop());

  it('contain every call of which the value is known once, in order', async () => {
    const requests = fc.record({
      field: fc.constantFrom(...KNOWN),
      falls: fc.boolean(),
      limit: fc.constantFrom(1, 7, 50),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ field, falls, limit }) => {
        const ids = stored
          .flatMap((call) => (call[field] === undefined ? [] : [{ id: call.id, value: call[field] }]))
          .toSorted((a, b) => a.value - b.value || (a.id < b.id ? -1 : 1))
          .map(({ id }) => id);
        const sort: CallSort = falls ? `-${field}` : field;
        expect(await walkPages(queries, {}, sort, limit)).toEqual(falls ? ids.toReversed() : ids);
      }),
      { numRuns: 40 },
    );
  });

  it.each(CALL_SORTS)('are the same with one call as with many, sorted by %s', async (sort) => {
    const whole = await walkPages(queries, {}, sort, 200);
    expect(await walkPages(queries, {}, sort, 11)).toEqual(whole);
    expect(new Set(whole).size).toBe(whole.length);
  });

  it('begin with the worst calls when sorted by -verdict', async () => {
    const { calls } = await queries.page({}, '-verdict', 200);
    const verdicts = calls.map(({ verdict }) => verdict);
    const rank = ['bad', 'poor', 'good', 'unknown'];
    expect(verdicts).toEqual(verdicts.toSorted((a, b) => rank.indexOf(a) - rank.indexOf(b)));
    expect(new Set(verdicts).size).toBeGreaterThan(2);
  });
});
