import type { AlertRuleContent } from './rules/alert-rule.js';
import type { CallValue } from './deciding/call-values.js';
import { pastAlerts, silenceAt, slidingWindow, windowStepSeconds } from './past-alerts.js';

const FROM = Date.parse('2026-03-02T10:00:00Z');
const MINUTE = 60_000;
const STEPS = { from: FROM, to: FROM + 60 * MINUTE, stepMs: 5 * MINUTE };
const RULE: AlertRuleContent = {
  name: 'x',
  enabled: true,
  measure: 'badCalls',
  search: {},
  by: null,
  windowSeconds: 900,
  minimumCalls: 4,
  forSeconds: 0,
  limit: 0.5,
  clearLimit: 0.25,
  shortSeconds: 10,
  silences: [],
  severity: 'warning',
  receivers: [],
};

/** Calls in the five minutes that begin at this minute. */
const bucket = (minute: number, calls: number, sum: number): CallValue => ({
  bucketAt: FROM + minute * MINUTE,
  value: null,
  calls,
  sum,
});
const minutes = (at: number | null): number | null => (at === null ? null : (at - FROM) / MINUTE);

describe('what a rule would have raised', () => {
  it('measures the calls of the whole window before each evaluation', () => {
    const measured = slidingWindow([bucket(-10, 2, 2), bucket(0, 4, 1), bucket(10, 4, 0)], STEPS, 15 * MINUTE);
    const at = (minute: number): unknown => measured(FROM + minute * MINUTE);
    expect([at(5), at(10), at(15), at(20), at(30)]).toEqual([
      { value: 0.5, calls: 6 },
      { value: 0.25, calls: 4 },
      { value: 0.125, calls: 8 },
      { value: 0, calls: 4 },
      { value: null, calls: 0 },
    ]);
  });

  it('lists when each alert begins and is resolved', () => {
    const values = [bucket(0, 4, 3), bucket(20, 4, 0), bucket(40, 5, 5), bucket(50, 4, 4)];
    const alerts = pastAlerts(RULE, null, STEPS, slidingWindow(values, STEPS, 15 * MINUTE));
    expect(alerts.map(({ startsAt, endsAt }) => [minutes(startsAt), minutes(endsAt)])).toEqual([
      [5, 20],
      [45, null],
    ]);
    expect(alerts[1]?.measured).toEqual({ value: 1, calls: 5 });
  });

  it('respects the minimum of calls, the duration and silences', () => {
    const measured = slidingWindow([bucket(0, 4, 4)], STEPS, 15 * MINUTE);
    const count = (rule: Partial<AlertRuleContent>): number =>
      pastAlerts({ ...RULE, ...rule }, null, STEPS, measured).length;
    const silences = [{ from: '2026-03-02T10:00:00Z', to: '2026-03-02T10:30:00Z' }];
    const rules = [{}, { minimumCalls: 5 }, { forSeconds: 600 }, { forSeconds: 601 }, { silences }];
    expect(rules.map(count)).toEqual([1, 0, 1, 0, 0]);
  });

  it('knows for how long a feed was silent', () => {
    const activity = (
      first: number,
      last: number,
    ): { name: string; firstAt: number; lastAt: number; records: number } => ({
      name: 'fe',
      firstAt: FROM + first * MINUTE,
      lastAt: FROM + last * MINUTE,
      records: 3,
    });
    const rule: AlertRuleContent = {
      ...RULE,
      measure: 'silentFeed',
      minimumCalls: 1,
      limit: 900,
      clearLimit: 900,
    };
    const alerts = pastAlerts(rule, 'fe', STEPS, silenceAt([activity(6, 9), activity(31, 34), activity(46, 48)]));
    expect(alerts.map(({ startsAt, endsAt }) => [minutes(startsAt), minutes(endsAt)])).toEqual([[25, 35]]);
  });

  it.each([
    [60, 60],
    [240, 240],
    [300, 300],
    [420, 420],
    [900, 300],
    [960, 480],
    [86_400, 300],
    [86_340, 86_340],
  ])('evaluates a window of %d s in whole steps of %d s', (windowSeconds, stepSeconds) => {
    expect(windowStepSeconds(windowSeconds)).toBe(stepSeconds);
  });
});
