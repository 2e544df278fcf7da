import { filterOf, searchOf } from './filter.js';
import { parametersToSave, searchOfSaved } from './saved-search.js';

describe('a saved search', () => {
  it.each([
    'q=anna&state=failed&verdict=bad&codec=PCMU&codec=PCMA&not.path=relay&maxMos=3.5&sort=-loss',
    'from=2026-11-16T00%3A00%3A00.000Z&user=anna%40example.test',
  ])('opens as it was saved: %s', (search) => {
    const saved = parametersToSave(filterOf(search));
    expect(searchOf(filterOf(searchOfSaved(saved)))).toBe(search);
  });

  it('has the parameters of the API, without a relative period', () => {
    expect(parametersToSave(filterOf('last=7d&verdict=bad&path=direct&path=relay'))).toEqual({
      verdict: 'bad',
      path: 'direct,relay',
      sort: 'newest',
    });
  });
});
