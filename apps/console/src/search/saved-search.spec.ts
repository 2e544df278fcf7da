import { parseFilter, filterAddress } from './filter.js';
import { parametersToSave, searchOfSaved } from './saved-search.js';

describe('a saved search', () => {
  it.each([
    'from=2026-11-16T00%3A00%3A00.000Z&q=anna&state=failed&verdict=bad&codec=PCMU&codec=PCMA&not.path=relay&maxMos=3.5&sort=-loss',
    'from=2026-11-16T00%3A00%3A00.000Z&user=anna%40example.test',
  ])('opens as it was saved: %s', (search) => {
    const saved = parametersToSave(parseFilter(search));
    expect(filterAddress(parseFilter(searchOfSaved(saved)))).toBe(search);
  });

  it.each(['last=all&verdict=bad', 'last=24h', 'last=30d&sort=-loss'])(
    'opens with its relative period: %s',
    (search) => {
      const saved = parametersToSave(parseFilter(search));
      expect(parseFilter(searchOfSaved(saved))).toEqual(parseFilter(search));
      expect(saved).toMatchObject({ last: /last=(\w+)/.exec(search)?.[1] });
    },
  );

  it('has the parameters of the API', () => {
    expect(parametersToSave(parseFilter('verdict=bad&path=direct&path=relay'))).toEqual({
      last: '24h',
      verdict: 'bad',
      path: 'direct,relay',
      sort: 'newest',
    });
  });
});
