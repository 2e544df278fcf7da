import { changed, parseFilter, countFilters, filterQuery, filterAddress } from './filter.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the filter of the search', () => {
  it.each([
    '',
    'last=7d&verdict=bad,poor&user=anna%40example.test&sort=longest',
    'from=2026-11-16T00%3A00%3A00.000Z&to=2026-11-17T00%3A00%3A00.000Z&address=10.1.0.0%2F16',
    'state=failed,expired&frontEnd=fe1&errorCode=486&cursor=abc&asOf=2026-11-16T00%3A00%3A00.000Z',
    'conversationId=a%26b%3D%2C',
    'q=anna+ben&codec=PCMU&maxMos=3.5&codec=PCMA&not.path=relay&sort=-loss',
  ])('reads what filterAddress wrote: %s', (search) => {
    expect(filterAddress(parseFilter(search))).toBe(search.replaceAll('%2C', ','));
  });

  it('defaults to the last day, and to all time for filters that identify a call', () => {
    expect(filterQuery(parseFilter(''), NOW)).toEqual({ from: '2026-11-20T12:00:00.000Z', sort: 'newest' });
    expect(filterQuery(parseFilter('callId=x'), NOW)).toEqual({ callId: 'x', sort: 'newest' });
    expect(filterQuery(parseFilter('q=abc'), NOW)).toEqual({ q: 'abc', sort: 'newest' });
    expect(filterQuery(parseFilter('callId=x&last=1h'), NOW)).toMatchObject({ from: '2026-11-21T11:00:00.000Z' });
  });

  it('searches words in all time, unless a period was selected', () => {
    expect(filterAddress(changed(parseFilter(''), { q: 'abc' }))).toBe('q=abc');
    expect(filterAddress(changed(parseFilter('q=abc'), { q: '' }))).toBe('');
    expect(filterAddress(changed(parseFilter('last=7d'), { q: 'abc' }))).toBe('last=7d&q=abc');
    expect(filterAddress(changed(parseFilter('q=abc&cursor=c'), { span: '1h' }))).toBe('last=1h&q=abc');
  });

  it('uses the names of the query API', () => {
    const search = 'from=2026-11-16&verdict=bad&state=ended&user=a&address=10.0.0.1&cursor=c&sort=oldest';
    expect(filterQuery(parseFilter(search), NOW)).toEqual({
      from: '2026-11-16T00:00:00.000Z',
      verdict: 'bad',
      state: 'ended',
      user: 'a',
      address: '10.0.0.1',
      cursor: 'c',
      sort: 'oldest',
    });
  });

  it('reads states and verdicts also if they are repeated', () => {
    expect(parseFilter('state=failed&state=expired&verdict=bad&verdict=poor,bad')).toMatchObject({
      states: ['failed', 'expired'],
      verdicts: ['bad', 'poor'],
    });
  });

  it('sends several values of a field as the API takes them', () => {
    const filter = parseFilter('last=all&codec=PCMU&codec=PCMA&path=direct&path=relay&not.user=anna');
    expect(filterQuery(filter, NOW)).toEqual({
      codec: ['PCMU', 'PCMA'],
      path: 'direct,relay',
      'not.user': 'anna',
      sort: 'newest',
    });
  });

  it('uses the same reference time for all pages of a list', () => {
    const second = parseFilter('last=1h&cursor=c&asOf=2026-11-21T10:00:00Z');
    expect(filterQuery(second, NOW)).toMatchObject({ from: '2026-11-21T09:00:00.000Z', cursor: 'c' });
    expect(filterAddress({ ...second, cursor: '' })).toBe('last=1h');
  });

  it('ignores unknown parameters', () => {
    const filter = parseFilter('last=9y&verdict=awful,bad&state=&sort=best&from=then&other=1');
    expect(filter).toMatchObject({ span: '24h', verdicts: ['bad'], states: [], sort: 'newest', from: '' });
    expect(countFilters(filter)).toBe(1);
  });
});
