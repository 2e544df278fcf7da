import { queryParameters } from './query-parameters.js';

describe('the parameters of a query', () => {
  it('have their values in order, by lower-cased names', () => {
    const parameters = queryParameters('/a?Query=1&query=2&limit=%33');
    expect([...parameters]).toEqual([
      ['query', ['1', '2']],
      ['limit', ['3']],
    ]);
  });

  it('are read in linear time, however often one is repeated', () => {
    const times = 100_000;
    const begun = process.cpuUsage();
    expect(queryParameters(`/a?${'a&'.repeat(times)}`).get('a')).toHaveLength(times);
    // A list that is copied for each value takes more than five seconds.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
  });
});
