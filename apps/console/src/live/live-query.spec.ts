import { isNarrowed, liveHref, readLiveQuery } from './live-query.js';

describe('the query of the live view', () => {
  it.each([
    '/live',
    '/live?state=held&state=active&verdict=bad&frontEnd=fe1.example.test',
    '/live?sort=oldest&group=frontEnd&paused=1',
    '/live?group=site',
    '/live?frontEnd=a%26b%2Cc',
  ])('is the same after the address %s was read and written', (href) => {
    expect(liveHref(readLiveQuery(href.replace('/live', '')))).toBe(href);
  });

  it('ignores what it does not know', () => {
    expect(liveHref(readLiveQuery('?sort=colour&group=&paused=yes&other=1'))).toBe('/live');
  });

  it('limits the number of selected values', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `frontEnd=fe${n}`).join('&');
    expect(readLiveQuery(`?${many}`).facets.frontEnds.size).toBe(100);
  });

  it('narrows the list by facets only', () => {
    expect(isNarrowed(readLiveQuery('?sort=newest&group=verdict'))).toBe(false);
    expect(isNarrowed(readLiveQuery('?verdict=bad'))).toBe(true);
  });
});
