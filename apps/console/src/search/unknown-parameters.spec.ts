import { unknownParameters } from './unknown-parameters.js';

describe('an address of the search', () => {
  it.each([
    '',
    '?last=7d&verdict=bad,poor&user=anna%40example.test&sort=longest',
    '?from=2026-11-16&to=2026-11-17T00:00:00Z&state=failed&callId=verdict%3Dawful&state=',
  ])('has no unknown parameters: %s', (search) => {
    expect(unknownParameters(search)).toEqual([]);
  });

  it('reports unknown parameters', () => {
    const search = '?last=9y&verdict=awful,bad&sort=best&from=then&usr=anna&toString=1&user=anna';
    const unknown = ['last=9y', 'verdict=awful', 'sort=best', 'from=then', 'usr=anna', 'toString=1'];
    expect(unknownParameters(search)).toEqual(unknown);
  });
});
