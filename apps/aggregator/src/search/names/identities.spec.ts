import { IdentityHiding } from '@ringdown/identity-hiding';
import { defaultProfile } from '@ringdown/vendor-profile';
import { start } from '../../../test/call-examples.js';
import { deriveCall } from '../../calls/derive-call.js';
import { IdentityView } from './identities.js';

const { call } = deriveCall([start()]);
const hiding = new IdentityHiding('seed of these very tests');
/** Also returns how often other tasks ran meanwhile. */
async function neighbourOf<T>(work: Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  const neighbour = setInterval(() => turns++, 1);
  try {
    return { result: await work, turns };
  } finally {
    clearInterval(neighbour);
  }
}

/** Uses this many milliseconds of processor time for each. */
function slow(ms: number): Pick<IdentityHiding, 'data' | 'field' | 'outline'> {
  return {
    data: (data) => {
      const begun = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - begun < ms * 1_000);
      return data;
    },
    field: (text) => text,
    outline: (data) => data,
  };
}

describe('the view of an operator who does not see users', () => {
  it('shows an item that exceeds the limit in outline, and the items beside it completely', async () => {
    const stuck = {
      ...slow(0),
      data: <T>(data: T): T => {
        if (JSON.stringify(data).includes('stuck')) for (;;);
        return hiding.data(data);
      },
      outline: <T>(data: T): T => hiding.outline(data),
    };
    const view = new IdentityView(stuck, defaultProfile, 100);
    const calls = ['first', 'stuck', 'last'].map((callId) => ({ ...call, callId }));
    const shown = await view.all(calls);
    expect(shown.map(({ callId }) => callId)).toEqual(['first', 'stuck', 'last']);
    expect(shown[0]?.parties).toEqual(hiding.data(call.parties));
    expect(shown[1]?.parties).toEqual(hiding.outline(call.parties));
    expect(shown[2]?.parties).toEqual(hiding.data(call.parties));
  });

  it('ends a page early when much had to be hidden, and lets other tasks run in between', async () => {
    const view = new IdentityView(slow(20), defaultProfile, 1_000);
    const calls = Array.from({ length: 200 }, () => call);
    const { result, turns } = await neighbourOf(view.page(calls));
    expect(result.length).toBeGreaterThan(1);
    expect(result.length).toBeLessThan(50);
    expect(turns).toBeGreaterThan(0);
  });

  it('omits records when much had to be hidden, and reports how many', async () => {
    const view = new IdentityView(slow(20), defaultProfile, 1_000);
    const records = Array.from({ length: 200 }, (_, n) => ({
      id: `r${n}`,
      kinds: [],
      version: null,
      cseq: null,
      rawSdp: null,
      frontEnds: [],
      sentAt: null,
      receivedAt: '2026-03-02T00:00:00Z',
      remoteAddress: null,
      certificateSubject: null,
      xml: '',
      content: start().record,
    }));
    const shown = await view.call({ call, linked: [], records, recordsLeftOut: 3 });
    expect(shown.records.length).toBeGreaterThan(1);
    expect(shown.records.length).toBeLessThan(50);
    expect(shown.records.length + shown.recordsLeftOut).toBe(203);
    expect(shown.records.map(({ id }) => id)).toEqual(shown.records.map((_, n) => `r${n}`));
  });

  it('returns whole pages of usual calls', async () => {
    const view = new IdentityView(hiding, defaultProfile, 1_000);
    const calls = Array.from({ length: 200 }, (_, n) => ({ ...call, callId: `call${n}@192.0.2.1` }));
    expect(await view.page(calls)).toHaveLength(200);
  });
});
