import type { Query } from '../api/query-text.js';
import { parseFilter, NO_CRITERIA, filterQuery } from '../search/filter.js';
import { callsBehind } from './calls-behind.js';

const time = { from: Date.parse('2026-11-21T10:00:00Z'), to: Date.parse('2026-11-21T11:00:00Z') };
const between = { from: '2026-11-21T10:00:00.000Z', to: '2026-11-21T11:00:00.000Z', sort: 'newest' };

describe('callsBehind', () => {
  /** The query of the search at this address. */
  const linkQuery = (...mark: Parameters<typeof callsBehind>): Query => {
    const address = new URL(callsBehind(...mark), 'https://console.example.test');
    expect(address.pathname).toBe('/calls');
    return filterQuery(parseFilter(address.search), 0);
  };

  it('finds the calls that began in the time of the mark', () => {
    expect(linkQuery({ time })).toEqual(between);
    expect(linkQuery({ time, verdict: 'bad' })).toEqual({ ...between, verdict: 'bad' });
  });

  it.each([
    ['subnet', '10.1.0.0/24', 'address'],
    ['frontEnd', 'fe1.example.test', 'frontEnd'],
    ['site', 'Oslo & lab', 'site'],
    ['userAgent', 'Phone/1.0 (a=b; c)', 'userAgent'],
    ['codec', 'PCMU/8000', 'codec'],
    ['connection', 'WiFi', 'connection'],
    ['medium', 'audio', 'medium'],
  ] as const)('have its %s', (by, value, filter) => {
    expect(linkQuery({ time, of: { by, value } })).toEqual({ ...between, [filter]: value });
  });

  it('combines the filters of the view with the value of the mark, which has priority', () => {
    const texts = { frontEnd: 'fe1', codec: 'opus' };
    const criteria = { ...NO_CRITERIA, texts };
    expect(linkQuery({ time, verdict: 'bad' }, criteria)).toEqual({ ...between, verdict: 'bad', ...texts });
    expect(linkQuery({ time, of: { by: 'codec', value: 'PCMU' } }, criteria)).toEqual({
      ...between,
      frontEnd: 'fe1',
      codec: 'PCMU',
    });
  });

  it('keeps words, states, verdicts and conditions of the view', () => {
    const criteria = {
      q: 'anna',
      states: ['ended', 'failed'],
      verdicts: ['poor', 'bad'],
      texts: { codec: 'opus' },
      more: [
        { name: 'codec', value: 'G722' },
        { name: 'not.trunk', value: 't1' },
        { name: 'minLoss', value: '0.1' },
      ],
    };
    const others = { ...between, q: 'anna', 'not.trunk': 't1', minLoss: '0.1' };
    expect(linkQuery({ time }, criteria)).toEqual({
      ...others,
      state: 'ended,failed',
      verdict: 'bad,poor',
      codec: ['opus', 'G722'],
    });
    const mark = { time, verdict: 'bad', states: ['active', 'ended'], of: { by: 'codec', value: 'PCMU' } } as const;
    expect(linkQuery(mark, criteria)).toEqual({ ...others, state: 'ended', verdict: 'bad', codec: 'PCMU' });
  });
});
