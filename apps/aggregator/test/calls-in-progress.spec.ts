import { CALLS_IN_PROGRESS_PATTERN, type CallsInProgressPage } from '@ringdown/contracts/calls';
import { eventually } from '@ringdown/testing/eventually';
import { Surroundings } from './aggregator-under-test.js';
import { endXml, published, startXml } from './feed-examples.js';

describe('the request for calls in progress over the bus', () => {
  let around: Surroundings;

  beforeAll(async () => {
    around = await Surroundings.start({ ownDatabase: true });
    await around.startAggregator();
  });
  afterAll(() => around.stop());

  async function page(question: unknown, withinMs = 20_000): Promise<CallsInProgressPage> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    return (await around.bus.request(CALLS_IN_PROGRESS_PATTERN, question, withinMs)) as CallsInProgressPage;
  }

  /** All pages, when they contain this many calls in progress. No reply is sent before the database is prepared. */
  function all(count: number): Promise<readonly CallsInProgressPage[]> {
    return eventually(`${count} calls`, async () => {
      const first = await page({ after: null }, 1_000).catch(() => undefined);
      if (first === undefined) return undefined;
      const pages = [first];
      for (let next = pages[0]?.next; typeof next === 'string'; next = pages.at(-1)?.next) {
        pages.push(await page({ after: next }));
      }
      return pages.flatMap(({ calls }) => calls).length === count && pages;
    });
  }

  it('returns the calls in progress with the addresses of their parties', async () => {
    await around.publish(published(startXml({ callId: 'Over' })), published(endXml({ callId: 'Over' })));
    await around.publish(published(startXml({ callId: 'On' })));
    const [first] = await all(1);
    expect([first?.calls.map(({ callId, state }) => [callId, state]), first?.next]).toEqual([[['On', 'active']], null]);
    const [stream] = first?.calls[0]?.streams ?? [];
    expect(Object.keys(stream ?? {})).toEqual(['state', 'from', 'to']);
    expect(stream?.from).toEqual({ uri: expect.stringMatching(/^sip:/) });
    expect(await page({ after: 'on' })).toEqual({ calls: [], next: null });
  });

  it('returns each call once, page by page, and the first page for an invalid request', async () => {
    const ids = Array.from({ length: 210 }, (_, n) => `P${String(n).padStart(3, '0')}`);
    await around.publish(...ids.map((id) => published(startXml({ callId: id }))));
    const pages = await all(211);
    expect(pages.map(({ calls }) => calls.length)).toEqual([200, 11]);
    expect(pages.flatMap(({ calls }) => calls.map(({ callId }) => callId))).toEqual(['On', ...ids]);
    for (const question of [null, 7, {}, { after: 7 }]) expect(await page(question)).toEqual(pages[0]);
  });

  it('replies with an error while the database is not reachable, and with calls afterwards', async () => {
    await around.database.kill();
    await expect(around.bus.request(CALLS_IN_PROGRESS_PATTERN, { after: null }, 60_000)).rejects.toThrow(
      /is an error: /,
    );
    await around.database.restart();
    const answer = await eventually('a reply', () => page({ after: 'on' }).catch(() => undefined));
    expect(answer.calls).toHaveLength(200);
  });
});
