import { chosenSite, isNarrowed, liveHref, readLiveQuery } from './live-query.js';

describe('the query of the live view', () => {
  it.each([
    '/live',
    '/live?state=held,active&verdict=bad&frontEnd=fe1.example.test',
    '/live?sort=oldest&group=frontEnd&paused=1',
    '/live?group=site',
    '/live?frontEnd=a%26b,c&frontEnd=d',
    '/live?verdict=bad&codec=opus&not.os=x&minLoss=0.1&other=1&sort=newest',
  ])('is the same after the address %s was read and written', (href) => {
    expect(liveHref(readLiveQuery(href.replace('/live', '')))).toBe(href);
  });

  it('takes several states repeated as well, as addresses had them before', () => {
    expect(liveHref(readLiveQuery('?state=held&state=active'))).toBe('/live?state=held,active');
  });

  it('keeps values that it does not know apart', () => {
    const query = readLiveQuery('?sort=colour&group=&paused=yes&state=held,busy&verdict=good');
    expect(query.unknown).toEqual([
      ['state', 'busy'],
      ['sort', 'colour'],
      ['paused', 'yes'],
    ]);
    expect(liveHref(query)).toBe('/live?state=held&verdict=good');
  });

  it('limits the number of values', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `frontEnd=fe${n}&codec=c${n}`).join('&');
    const { facets, others } = readLiveQuery(`?${many}`);
    expect([facets.frontEnds.size, others.length]).toEqual([100, 100]);
  });

  it('narrows the list by what its rows have only', () => {
    expect(isNarrowed(readLiveQuery('?sort=newest&group=verdict'))).toBe(false);
    expect(isNarrowed(readLiveQuery('?codec=opus'))).toBe(false);
    expect(isNarrowed(readLiveQuery('?verdict=bad'))).toBe(true);
    expect(isNarrowed(readLiveQuery('?site=Oslo'))).toBe(true);
    expect(chosenSite(readLiveQuery('?codec=opus&site=Oslo'))).toBe('Oslo');
  });
});
