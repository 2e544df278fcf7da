import { CONDITION_NAMES } from '../search/conditions.js';
import {
  chartConditions,
  chartParameters,
  furtherConditions,
  liveFiltersWith,
  liveFiltersWithout,
  unknownInLive,
} from './live-criteria.js';
import { liveHref, readLiveQuery } from './live-query.js';

describe('filters of the live view', () => {
  it.each([...CONDITION_NAMES.map((name) => `${name}=1`), 'q=anna', 'state=ended,failed', 'verdict=bad'])(
    'are all those of the search: %s',
    (text) => {
      expect(Object.keys(chartParameters(text))).toEqual([text.replace(/=.*/, '')]);
      expect(liveHref(readLiveQuery(`?${text}`))).toBe(`/live?${text}`);
    },
  );

  it('are sent as the API has them, without what it does not know', () => {
    const text = 'state=held,active&frontEnd=a&frontEnd=b&errorCode=486&errorCode=503&mood=bad&from=2026-11-21';
    expect(chartParameters(text)).toEqual({ state: 'active,held', frontEnd: ['a', 'b'], errorCode: '486,503' });
  });

  it('are named where they have no effect', () => {
    const query = readLiveQuery('?codec=opus&site=Oslo&usr=anna&minLoss=much&from=2026-11-21&sort=colour&state=busy');
    expect(unknownInLive(query)).toEqual(['state=busy', 'sort=colour', 'usr=anna', 'minLoss=much', 'from=2026-11-21']);
    expect(unknownInLive(readLiveQuery('?verdict=bad&not.os=x&maxMos=3&sort=newest'))).toEqual([]);
  });

  it('are told apart from those of the list', () => {
    const query = readLiveQuery('?verdict=bad&frontEnd=a&codec=opus&site=Oslo');
    expect(furtherConditions(query).map(({ name }) => name)).toEqual(['site', 'codec']);
    expect(chartConditions(query)).toEqual([{ name: 'codec', value: 'opus' }]);
  });

  it('are added to those that are there, and removed', () => {
    const query = readLiveQuery('?verdict=bad&frontEnd=a&site=Oslo');
    const more = liveFiltersWith(query, { name: 'frontEnd', value: 'b' });
    expect([...more.facets.frontEnds]).toEqual(['a', 'b']);
    expect(liveFiltersWith(more, { name: 'site', value: 'Bergen' }).others).toEqual([['site', 'Bergen']]);
    const codec = { name: 'codec', value: 'opus' };
    expect(liveFiltersWithout(liveFiltersWith(query, codec), codec)).toEqual({
      facets: query.facets,
      others: query.others,
      unknown: [],
    });
  });
});
