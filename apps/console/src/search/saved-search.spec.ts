import { filterOf, searchOf } from './filter.js';
import { parametersToSave, searchOfSaved } from './saved-search.js';

describe('a saved search', () => {
  it.each([
    'from=2026-11-16T00%3A00%3A00.000Z&q=anna&state=failed&verdict=bad&codec=PCMU&codec=PCMA&not.path=relay&maxMos=3.5&sort=-loss',
    'from=2026-11-16T00%3A00%3A00.000Z&user=anna%40example.test',
  ])('opens as it was saved: %s', (search) => {
    const saved = parametersToSave(filterOf(search));
    expect(searchOf(filterOf(searchOfSaved(saved)))).toBe(search);
  });

  it.each(['last=all&verdict=bad', 'last=24h', 'last=30d&sort=-loss'])(
    'opens with its relative period: %s',
    (search) => {
      const saved = parametersToSave(filterOf(search));
      expect(filterOf(searchOfSaved(saved))).toEqual(filterOf(search));
      expect(saved).toMatchObject({ last: /last=(\w+)/.exec(search)?.[1] });
    },
  );

  it('has the parameters of the API', () => {
    expect(parametersToSave(filterOf('verdict=bad&path=direct&path=relay'))).toEqual({
      last: '24h',
      verdict: 'bad',
      path: 'direct,relay',
      sort: 'newest',
    });
  });
});
