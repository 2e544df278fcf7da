import { capacityHref, readCapacityQuery, unknownInCapacity } from './capacity-query.js';

describe('the address of the capacity view', () => {
  it('is short for the peaks of trunks in the last seven days', () => {
    const query = readCapacityQuery('');
    expect([query.period.span, query.by, query.measure, query.chosen]).toEqual(['7d', 'trunk', 'calls', []]);
    expect(capacityHref(query)).toBe('/capacity');
  });

  it.each([
    '?last=30d&by=site&show=bandwidth&value=Oslo&value=Bergen',
    '?from=2026-11-02T10:00:00.000Z&to=2026-11-03T10:00:00.000Z&show=attempts',
    '?by=pool&codec=opus&not.codec=PCMU',
  ])('keeps %s', (search) => {
    const shown = decodeURIComponent(capacityHref(readCapacityQuery(search)));
    expect(shown).toBe(`/capacity${search}`);
  });

  it('names what it does not know, and shows the usual instead', () => {
    const search = '?last=all&by=codec&show=all&value=&mood=bad&state=active';
    expect(unknownInCapacity(search)).toEqual(['last=all', 'by=codec', 'show=all', 'mood=bad']);
    expect(capacityHref(readCapacityQuery(search))).toBe('/capacity?state=active');
  });

  it('has each value once', () => {
    expect(readCapacityQuery('?value=a&value=b&value=a&value=%20').chosen).toEqual(['a', 'b']);
  });
});
