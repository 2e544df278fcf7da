import { quietLogger } from '@ringdown/testing/quiet-logger';
import { start } from '../../test/call-examples.js';
import { deriveCall } from '../calls/derive-call.js';
import { SiteTable } from '../search/sites/site-table.js';
import { LiveTexts } from './live-texts.js';

const { call } = deriveCall([start()]);
const good = { ...call, callId: 'good' };
const frozen = { ...call, callId: 'frozen' };

const SNAPSHOT = { calls: [frozen, good], total: 2 };

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

describe('JSON for readers of the live stream', () => {
  /** Never returns for some of the calls. */
  const hiding = {
    data: <T>(data: T): T => {
      if (JSON.stringify(data).includes('"frozen"')) for (;;);
      return data;
    },
    outline: <T>(data: T): T => ({ ...data, frontEnds: ['cut'] }),
  };
  const sites = new SiteTable([]);
  const texts = new LiveTexts({ hiding, sites, limitMs: 100, logger: quietLogger() });

  it('contains in outline a call whose users cannot be hidden in time, and other calls completely', async () => {
    const outline = { ...frozen, frontEnds: ['cut'] };
    expect(parsed(await texts.ofCall(good, false))).toEqual(good);
    expect(parsed(await texts.ofCall(frozen, false))).toEqual(outline);
    // The call that takes so long is the last one in its snapshot.
    expect(parsed(await texts.ofSnapshot(SNAPSHOT, false))).toEqual({ calls: [outline], total: 2 });
  });

  it('omits a call in which users cannot be hidden at all', async () => {
    const data = <T>(of: T): T => {
      if (JSON.stringify(of).includes('"frozen"')) throw new Error('wrong');
      return of;
    };
    const failing = new LiveTexts({ hiding: { ...hiding, data }, sites, limitMs: 1_000, logger: quietLogger() });
    expect(await failing.ofCall(frozen, false)).toBeUndefined();
    expect(parsed(await failing.ofSnapshot(SNAPSHOT, false))).toEqual({ calls: [good], total: 2 });
  });

  it('contains all calls when users are shown', async () => {
    expect(parsed(await texts.ofCall(frozen, true))).toEqual(frozen);
    expect(parsed(await texts.ofSnapshot(SNAPSHOT, true))).toEqual(SNAPSHOT);
  });

  it('contains the site of each party, and the numbers beside the calls, whether users are shown or hidden', async () => {
    const placed = new LiveTexts({
      hiding: { data: (data) => data, outline: (data) => data },
      sites: new SiteTable([{ site: 'Bonn', net: '10.1.0.0/16' }]),
      limitMs: 1_000,
      logger: quietLogger(),
    });
    const parties = [{ uri: 'sip:a@example.test', ip: '10.1.2.3' }, { uri: 'sip:b@example.test' }];
    const snapshot = {
      calls: [{ ...good, parties }],
      total: 9,
      counts: { states: { active: 9 }, verdicts: { bad: 9 }, frontEnds: { fe1: 9 } },
    };
    const withSite = { ...good, parties: [{ ...parties[0], site: 'Bonn' }, parties[1]] };
    for (const isShown of [true, false]) {
      expect(parsed(await placed.ofCall({ ...good, parties }, isShown))).toEqual(withSite);
      expect(parsed(await placed.ofSnapshot(snapshot, isShown))).toEqual({ ...snapshot, calls: [withSite] });
    }
  });
});
