import { Fault } from '@ringdown/web-server/errors';
import { InputPipe, QuerySource } from '@ringdown/web-server/input';
import { SearchQuery, searchRequest } from './search-request.js';

function search(query: string, minVersion?: string): ReturnType<typeof searchRequest> {
  const source = new QuerySource(`/search${query}`);
  return searchRequest(
    new InputPipe().transform(source, { type: 'custom', metatype: SearchQuery }) as SearchQuery,
    minVersion,
  );
}

function read(query: string): unknown {
  try {
    return search(query);
  } catch (error) {
    if (error instanceof Fault) return error.details.parameters;
    throw error;
  }
}

describe('a search request', () => {
  it.each([
    ['?query=ann', { query: 'ann', limit: 25, limitGiven: false }],
    ['?LIMIT=100&Query=ann%20b+c', { query: 'ann b c', limit: 100, limitGiven: true }],
    ['?query=Zo%C3%AB&limit=1', { query: 'Zoë', limit: 1, limitGiven: true }],
    ['?query=Zo\u00c3\u00ab', { query: 'Zoë', limit: 25, limitGiven: false }],
    ['?query=%zz%ff', { query: '%zz\ufffd', limit: 25, limitGiven: false }],
    ['?query=a&mail=&other=1', { query: 'a', limit: 25, limitGiven: false }],
    ['?Mail=sip:a@b.test', { mail: 'sip:a@b.test', limit: 25, limitGiven: false, revision: '2' }],
    ['?mail=a%40b.test&query=%20&limit=2', { mail: 'a@b.test', limit: 2, limitGiven: true, revision: '2' }],
    ['?mail=a@b.test&query=a', { query: 'a', mail: 'a@b.test', limit: 25, limitGiven: false, revision: '2' }],
  ])('%s is accepted', (query, request) => {
    expect(read(query)).toEqual(request);
  });

  it.each([
    ['2', '2'],
    ['4.0', '2'],
    ['1', undefined],
    ['', undefined],
    ['two', undefined],
    [undefined, undefined],
  ])('of a client that requests version %s has revision %s', (version, revision) => {
    expect(search('?query=a', version).revision).toBe(revision);
  });

  const wrongLimit = [{ name: 'limit', code: 'number', reason: 'limit must be a whole number from 1 to 100' }];

  it.each([
    ['', [{ name: 'query', reason: 'query is missing' }]],
    ['?query=%20', [{ name: 'query', reason: 'query is missing' }]],
    ['?query=a&query=b', [{ name: 'query', code: 'repeated', reason: 'query is given more than once' }]],
    [`?query=${'a'.repeat(257)}`, [{ name: 'query', reason: 'query must be a text of 256 characters at most' }]],
    ['?query=a&mail=b&mail=c', [{ name: 'mail', code: 'repeated', reason: 'mail is given more than once' }]],
    [`?mail=${'a'.repeat(257)}`, [{ name: 'mail', reason: 'mail must be a text of 256 characters at most' }]],
    ['?query=&mail=', [{ name: 'query', reason: 'query is missing' }]],
    ['?query=a&limit=0', wrongLimit],
    ['?query=a&limit=101', wrongLimit],
    ['?query=a&limit=-1', wrongLimit],
    ['?query=a&limit=1.5', wrongLimit],
    ['?query=a&limit=1e2', wrongLimit],
    ['?query=a&limit=', wrongLimit],
    ['?query=a&limit=99999999999999999999', wrongLimit],
    ['?query=a&limit=1&limit=2', [{ name: 'limit', code: 'repeated', reason: 'limit is given more than once' }]],
    ['?limit=x', [{ name: 'query', reason: 'query is missing' }, ...wrongLimit]],
  ])('%.40s is rejected', (query, parameters) => {
    expect(read(query)).toEqual(parameters);
  });
});
