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

  it('of all time has the earliest beginning', () => {
    expect(parametersToSave(filterOf('last=all&verdict=bad'))).toMatchObject({ from: '1970-01-01T00:00:00.000Z' });
  });

  it('has the parameters of the API, without a relative period', () => {
    expect(parametersToSave(filterOf('last=7d&verdict=bad&path=direct&path=relay'))).toEqual({
      verdict: 'bad',
      path: 'direct,relay',
      sort: 'newest',
    });
  });
});
