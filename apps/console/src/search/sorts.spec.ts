import { columnsWithSorted, sortDirection, SORTS } from './sorts.js';

describe('the order of the list', () => {
  it('shows the value that calls are sorted by, first if it was not chosen', () => {
    expect(columnsWithSorted(['verdict', 'trouble'], '-loss')).toEqual(['loss', 'verdict', 'trouble']);
    expect(columnsWithSorted(['verdict', 'loss'], '-loss')).toEqual(['verdict', 'loss']);
    expect(columnsWithSorted(['verdict'], 'newest')).toEqual(['verdict']);
  });

  it('has a column for each order but that of the beginning', () => {
    const without = SORTS.filter(({ sort }) => columnsWithSorted([], sort).length === 0);
    expect(without.map(({ sort }) => sort)).toEqual(['newest', 'oldest']);
  });

  it('tells the direction of the sorted column only', () => {
    expect(sortDirection('loss', '-loss')).toBe('descending');
    expect(sortDirection('mos', 'mos')).toBe('ascending');
    expect(sortDirection('lasted', 'longest')).toBe('descending');
    expect(sortDirection('lasted', 'shortest')).toBe('ascending');
    expect(sortDirection('mos', '-loss')).toBeUndefined();
  });
});
