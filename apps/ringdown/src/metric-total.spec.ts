import { metricTotal } from './metric-total.js';

describe('the total of a metric', () => {
  it.each([
    ['undefined without the metric', 'waiting_records 3\n', undefined],
    ['its value when it has no labels', 'waiting 3\nwaiting_records 4\n', 3],
    ['the sum over other labels', 'waiting{address="a"} 3\nwaiting{address="b"} 4\n', 7],
    [
      'the largest of each subject',
      ['0', '8', '1', '9']
        .map(
          (partition, n) => `waiting{partition="${partition}",subject="${Number(partition) % 8}"} ${[5, 7, 2, 0][n]}\n`,
        )
        .join(''),
      9,
    ],
  ])('is %s', (_condition, exposition, total) => {
    expect(metricTotal(exposition, 'waiting')).toBe(total);
  });
});
