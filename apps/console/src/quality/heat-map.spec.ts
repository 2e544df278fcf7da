import { heatMap } from './heat-map.js';
import { answered, item } from './statistics-example.js';

describe('the heat map', () => {
  const answer = answered(
    item(10, 'Rome', { good: 5 }),
    item(10, 'Oslo', { good: 60, bad: 40 }),
    item(11, 'Oslo', { good: 97, bad: 3 }),
    item(12, 'Oslo', { unknown: 2 }),
    item(11, 'Bergen', { good: 9, poor: 1 }),
    item(12, 'Bergen', { bad: 1 }),
  );

  it('has a row for each value, worst first, and a cell for each time', () => {
    const { columns, rows } = heatMap(answer, 10);
    expect(columns).toHaveLength(3);
    expect(rows.map(({ value, cells }) => [value, ...cells.map(({ verdict, heat }) => `${verdict} ${heat}`)])).toEqual([
      ['Oslo', 'bad 3', 'bad 1', 'unknown 0'],
      ['Bergen', 'undefined 0', 'poor 0', 'bad 2'],
      ['Rome', 'good 0', 'undefined 0', 'undefined 0'],
    ]);
  });

  it.each([
    [0, 0, 50],
    [1, 1, 20],
    [2, 1, 1],
    [3, 4, 4],
    [3, 20, 40],
    [4, 40, 60],
  ])('has heat %d where %d of %d streams are bad: few tell less than many', (heat, bad, streams) => {
    const { rows } = heatMap(answered(item(10, 'Oslo', { bad, good: streams - bad })), 10);
    expect(rows[0]?.cells[0]?.heat).toBe(heat);
  });

  it('counts the values without a row, and those that the server left out', () => {
    expect(heatMap({ ...answer, valuesLeftOut: 7 }, 2)).toMatchObject({ leftOut: 8, rows: [{}, {}] });
  });

  it('is empty without streams', () => {
    expect(heatMap(answered(), 10)).toMatchObject({ rows: [], leftOut: 0, columns: [{}, {}, {}] });
  });
});
