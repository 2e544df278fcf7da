import { readSettings } from '@ringdown/settings';
import { callSettings, callRulesFromSettings } from './call-settings.js';

const MINUTE = 60;
const DAY = 86_400;

describe('the time-out settings of calls', () => {
  /** Name and value in the last release of the feed's own manager (diagnostics-feed.md, 4.4). */
  it.each([
    ['calltimeout', 'CALL_TIMEOUT_SECONDS', DAY],
    ['invitetimeout', 'INVITE_TIMEOUT_SECONDS', 3 * MINUTE],
    ['endedtimeout', 'ENDED_TIMEOUT_SECONDS', 15],
    ['qoetimeout', 'QOE_TIMEOUT_SECONDS', 5],
    ['timeouthandlerperiod', 'TIMEOUT_SWEEP_SECONDS', 10],
  ])('contain %s as %s', (name, env, seconds) => {
    const found = Object.values(callSettings).find((each) => each.env === env);
    expect(found).toMatchObject({ fallback: seconds, about: expect.stringContaining(`(${name})`) });
  });

  it('are set independently of each other', () => {
    const timeouts = callRulesFromSettings(
      readSettings(callSettings, {
        CALL_TIMEOUT_SECONDS: '1',
        INVITE_TIMEOUT_SECONDS: '2',
        ENDED_TIMEOUT_SECONDS: '3',
        QOE_TIMEOUT_SECONDS: '4',
      }),
    ).timeouts;
    expect(timeouts).toEqual({ call: 1_000, invite: 2_000, ended: 3_000, qoe: 4_000 });
  });
});
