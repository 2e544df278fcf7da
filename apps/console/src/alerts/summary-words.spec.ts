import type { Alert } from '../api/answers.js';
import { summaryWords } from './summary-words.js';

const alert: Alert = {
  id: 'a1',
  ruleId: 'r1',
  ruleName: 'Bad',
  severity: 'warning',
  scope: { site: 'Bonn' },
  value: 0.4,
  limit: 0.2,
  unit: 'ratio',
  calls: 25,
  summary: 'Of the server.',
  condition: { measure: 'badCalls', windowSeconds: 900, shortSeconds: 10 },
  link: 'https://uc.example.test/',
  startsAt: '2026-11-21T12:00:00Z',
  endsAt: null,
};
const condition = (measure: NonNullable<Alert['condition']>['measure']): Pick<Alert, 'condition'> => ({
  condition: { measure, windowSeconds: 60, shortSeconds: 5 },
});

describe('the sentence of an alert', () => {
  it.each<[Partial<Alert>, string]>([
    [{}, 'Share of bad calls (Site Bonn): 40\u00A0% in 25 calls; the limit is above 20\u00A0%.'],
    [
      { ...condition('mos'), scope: {}, unit: 'mos', value: 2.345, limit: 3, calls: 1 },
      'Average MOS: MOS 2.35 in 1 call; the limit is below MOS 3.',
    ],
    [
      { ...condition('shortCalls'), scope: {} },
      'Share of short calls of less than 5\u00A0s: 40\u00A0% in 25 calls; the limit is above 20\u00A0%.',
    ],
    [
      { ...condition('silentFeed'), scope: {}, unit: 's', value: 630, limit: 600, calls: 3 },
      'Time without a record: 10\u00A0min 30\u00A0s after 3 records; the limit is above 10\u00A0min.',
    ],
    [
      { ...condition('failingRegistrations'), scope: {}, unit: 'count', value: 12, limit: 9 },
      'Failed registrations: 12 in 1 minute; the limit is above 9.',
    ],
    [
      {
        condition: { measure: 'failingRegistrations', windowSeconds: 86_400, shortSeconds: 5 },
        scope: {},
        unit: 'count',
        value: 12,
        limit: 9,
      },
      'Failed registrations: 12 in 24 hours; the limit is above 9.',
    ],
    [{ value: null, scope: {} }, 'Share of bad calls: not known in 25 calls; the limit is above 20\u00A0%.'],
    [{ condition: null }, 'Of the server.'],
  ])('no. %# is worded from the measure and its values', (changed, sentence) => {
    expect(summaryWords({ ...alert, ...changed })).toBe(sentence);
  });
});
