import type { PublishedRecord } from '@ringdown/contracts/records';
import { jest } from '@jest/globals';
import { EVENT_LIMIT } from '../src/calls/life/admission.js';
import { fold, type FoldCall } from '../src/calls/fold.js';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { callIdIn, endXml, read, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

// A database starts here, on machines that may have little time for it.
jest.setTimeout(180_000);

const CALL = callIdIn(3, 'large-');
const EVENTS_PER_RECORD = 500;

describe('a call that is full', () => {
  let on: StoreUnderTest;
  /** Of each time that a call was folded: how many records it had. */
  const folded: number[] = [];
  const first = read(startXml({ callId: CALL, cseq: 0 }), 1_772_445_600_000);

  const foldCall: FoldCall = (known, ...rest) => {
    folded.push(known.length);
    return fold(known, ...rest);
  };

  beforeAll(async () => {
    on = await StoreUnderTest.start(foldCall);
    await on.commit(first);
    for (let n = 1; n <= EVENT_LIMIT / EVENTS_PER_RECORD; n++) await on.commit(manyStreams(n));
  });
  afterAll(() => on.stop());

  it('refuses another record without loading those that it has', async () => {
    folded.length = 0;
    const { added, refused } = await on.commit(manyStreams(1_000));
    expect({ added, refused: refused.length }).toEqual({ added: 0, refused: 1 });
    expect(folded).toEqual([]);
  });

  it('recognises a copy without loading them', async () => {
    folded.length = 0;
    const copy = { ...read(startXml({ callId: CALL, cseq: 0 }), first.receivedAt + 1_000), id: 'copy' };
    expect(await on.commit(copy)).toMatchObject({ added: 0, duplicates: 1, refused: [] });
    expect(folded).toEqual([]);
  });

  it('uses the time of a copy that was received earlier', async () => {
    const earlier = { ...read(startXml({ callId: CALL, cseq: 0 }), first.receivedAt - 1_000), id: 'earlier' };
    expect(await on.commit(earlier)).toMatchObject({ added: 0, duplicates: 1, refused: [] });
    const found = await new CallQueries(on.database).byId(CALL);
    expect(found?.call.firstReceivedAt).toBe(new Date(first.receivedAt - 1_000).toISOString());
  });

  it('still accepts its end', async () => {
    const { added, completed } = await on.commit(read(endXml({ callId: CALL, cseq: 2_000 })));
    expect({ added, states: completed.map(({ state }) => state) }).toEqual({ added: 1, states: ['ended'] });
  });
});

function manyStreams(n: number): PublishedRecord {
  const events = '<Start Type="audio"/>'.repeat(EVENTS_PER_RECORD);
  return read(startXml({ callId: CALL, cseq: n }).replace('</Diagnostics>', `${events}</Diagnostics>`));
}
