import { qualityHref, readQualityQuery, unknownIn } from '../quality-query.js';
import { comparisonIn } from './comparison.js';

describe('the comparison of an address', () => {
  it.each([
    '?compare=before',
    '?compare=4weeks',
    '?compare=trunk',
    '?compare=trunk&line=nordtel&line=bayline-boston',
    '?compare=site&line=Oslo&line=New+York&frontEnd=fe1',
  ])('is kept: %s', (search) => {
    expect(qualityHref(readQualityQuery(search))).toBe(`/quality${search}`);
    expect(unknownIn(search)).toEqual([]);
  });

  it('has six lines at most, each once', () => {
    const given = new URLSearchParams([
      ['compare', 'codec'],
      ...['a', 'b', 'a', ' ', 'c', 'd', 'e', 'f', 'g'].map((value) => ['line', value]),
    ]);
    expect(comparisonIn(given)).toEqual({ kind: 'values', by: 'codec', values: ['a', 'b', 'c', 'd', 'e', 'f'] });
  });

  it.each([
    ['?compare=after', ['compare=after']],
    ['?compare=1weeks', ['compare=1weeks']],
    ['?compare=7weeks', ['compare=7weeks']],
    ['?compare=toString', ['compare=toString']],
    ['?line=nordtel', ['line=nordtel']],
    ['?compare=before&line=nordtel', ['line=nordtel']],
    ['?compare=trunk&line=1&line=2&line=3&line=4&line=5&line=6&line=7', ['line=7']],
  ])('of %s names what has no effect: %j', (search, unknown) => {
    expect(unknownIn(search)).toEqual(unknown);
  });
});
