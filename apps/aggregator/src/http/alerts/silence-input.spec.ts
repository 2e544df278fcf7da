import { silencesIn } from './silence-input.js';

const PERIOD = { from: '2026-12-24T12:00:00Z', to: '2026-12-27T00:00:00+01:00' };
const WEEKLY = { days: ['monday', 'sunday'], from: '22:00', to: '06:00' };
const TIMES = 'must have from and to, times like 2026-12-24T12:00:00Z with to after from, and nothing else';
const DAYS =
  'must have days, a list of names like monday, each once, and from and to, times of day in UTC like 22:00, and nothing else';

describe('silences in the body of a request', () => {
  it('are once or every week, with days in the order of the week', () => {
    expect(silencesIn([PERIOD, WEEKLY])).toEqual([PERIOD, { ...WEEKLY, days: ['sunday', 'monday'] }]);
  });

  it.each([
    ['no object', 'always', TIMES],
    ['null', null, TIMES],
    ['no end', { from: PERIOD.from }, TIMES],
    ['a day that does not exist', { ...PERIOD, to: '2026-02-30T12:00:00Z' }, TIMES],
    ['no time zone', { from: '2026-12-24T12:00:00', to: '2026-12-25T12:00:00' }, TIMES],
    ['an end before the beginning', { from: PERIOD.to, to: PERIOD.from }, TIMES],
    ['another member', { ...PERIOD, reason: 'holidays' }, TIMES],
    ['times of day without days', { from: '22:00', to: '06:00' }, TIMES],
    ['an unknown day', { ...WEEKLY, days: ['someday'] }, DAYS],
    ['a day twice', { ...WEEKLY, days: ['monday', 'monday'] }, DAYS],
    ['no days', { ...WEEKLY, days: [] }, DAYS],
    ['one day that is not in a list', { ...WEEKLY, days: 'monday' }, DAYS],
    ['the hour 24', { ...WEEKLY, from: '24:00' }, DAYS],
    ['times with days', { ...PERIOD, days: ['monday'] }, DAYS],
  ])('are rejected with their place in the list and what is expected (%s)', (_case, wrong, expected) => {
    expect(() => silencesIn([PERIOD, wrong])).toThrow(`silences[1] ${expected}`);
  });
});
