import { queryText } from '../api/query-text.js';
import { contentIn, isOver, parametersIn, silencedFor, silencedUntil } from './rule-content.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

describe('the content of an alert rule', () => {
  it('converts shares from percent, times from minutes, and leaves out empty fields', () => {
    const fields = { name: ' Bad ', enabled: 'on', measure: 'badCalls', by: 'site', limit: '20', window: '15' };
    expect(contentIn(form({ ...fields, clearLimit: '', minimumCalls: '' }), [])).toEqual({
      name: 'Bad',
      enabled: true,
      measure: 'badCalls',
      search: {},
      by: 'site',
      windowSeconds: 900,
      limit: 0.2,
      silences: [],
      severity: 'warning',
      receivers: [],
    });
  });

  it('has no dimension for silent feeds, whose limit is in minutes', () => {
    const content = contentIn(form({ name: 'a', measure: 'silentFeed', by: 'site', limit: '7' }), []);
    expect(content).toMatchObject({ limit: 420, enabled: false });
    expect(content.by).toBeUndefined();
  });

  it.each([
    ['rejectedRecords', 'reason', 'reason'],
    ['rejectedRecords', 'site', undefined],
    ['failingRegistrations', 'frontEnd', 'frontEnd'],
    ['failingRegistrations', 'reason', undefined],
    ['badCalls', 'reason', undefined],
  ])('of %s by %s is by %s', (measure, by, kept) => {
    expect(contentIn(form({ name: 'a', measure, by, limit: '7' }), []).by).toBe(kept);
  });

  it('reads filters from the address of a search, without its period', () => {
    const address = 'https://uc.example.test/console/calls?last=7d&site=Bonn&codec=a&codec=b%2F8000&sort=loss#top';
    expect(parametersIn(address)).toEqual({ site: 'Bonn', codec: ['a', 'b/8000'] });
    expect(parametersIn('')).toEqual({});
    expect(parametersIn(queryText({ site: 'A & B', codec: ['a', 'b'] }))).toEqual({
      site: 'A & B',
      codec: ['a', 'b'],
    });
  });

  it('is silenced from now on, without silences that are over', () => {
    const weekly = { days: ['sunday'], from: '22:00', to: '06:00' } as const;
    const past = { from: '2026-03-01T10:00:00Z', to: '2026-03-02T10:00:00Z' };
    const silences = silencedFor([past, weekly], 8, NOW);
    expect(silences).toEqual([weekly, { from: '2026-03-02T10:00:00.000Z', to: '2026-03-02T18:00:00.000Z' }]);
    expect([isOver(past, NOW), isOver(weekly, NOW)]).toEqual([true, false]);
    expect(silencedUntil(silences, NOW)).toBe(NOW + 8 * 3_600_000);
    expect(silencedUntil([past, weekly], NOW)).toBeUndefined();
    expect(
      silencedFor(
        Array.from({ length: 20 }, () => weekly),
        1,
        NOW,
      ),
    ).toHaveLength(20);
  });
});
