import type { CallPage } from '../api/answers.js';
import { queryIn } from '../api/query-text.js';
import { neighboursIn, nextList } from './neighbours.js';

/** Only the ids of the calls are read. */
function page(...ids: readonly string[]): CallPage {
  const items: unknown[] = ids.map((callId) => ({ callId }));
  return JSON.parse(JSON.stringify({ items, next: null }));
}

describe('the neighbours of a call', () => {
  it.each([
    ['a', { previous: undefined, next: 'b' }],
    ['b', { previous: 'a', next: 'c' }],
    ['c', { previous: 'b', next: undefined }],
    ['d', undefined],
  ])('of %s in a page', (callId, expected) => {
    expect(neighboursIn(page('a', 'b', 'c'), callId)).toEqual(expected);
  });
});

describe('the list in the address of a call', () => {
  const list = 'from=2026-11-20T12%3A00%3A00.000Z&verdict=bad%2Cpoor&cursor=old';

  it('is a query to the API', () => {
    expect(queryIn(list)).toEqual({ from: '2026-11-20T12:00:00.000Z', verdict: 'bad,poor', cursor: 'old' });
    expect(queryIn('')).toEqual({});
  });

  it('continues with the next page, if there is one', () => {
    expect(queryIn(nextList(list, { next: 'a&b' }) ?? '')).toMatchObject({ verdict: 'bad,poor', cursor: 'a&b' });
    expect(nextList(list, { next: null })).toBeUndefined();
  });
});
