import { runInNewContext } from 'node:vm';
import { nodeErrorCode, isOwnLack, errorReason } from './index.js';

describe('reasonOf', () => {
  it.each([
    ['an error', new Error('the disk is full'), 'the disk is full'],
    ['an error of a class', new TypeError('not a number'), 'not a number'],
    ['an error of another realm', runInNewContext("new Error('elsewhere')"), 'elsewhere'],
    ['a text that was thrown', 'stopped', 'stopped'],
    ['nothing', undefined, 'undefined'],
    ['a request that failed', new TypeError('fetch failed', { cause: new Error('refused') }), 'fetch failed: refused'],
    ['several errors without a message', new AggregateError([new Error('first'), 'second']), 'first; second'],
    ['several errors with a message', new AggregateError([new Error('first')], 'all failed'), 'all failed'],
  ])('returns the message of %s', (_what, error, reason) => {
    expect(errorReason(error)).toBe(reason);
  });
});

describe('codeOf', () => {
  it('returns the code of an error of Node, and undefined for everything without a text as code', () => {
    expect(nodeErrorCode(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
    expect(nodeErrorCode(Object.assign(new Error('closed'), { code: 1000 }))).toBeUndefined();
    expect(nodeErrorCode({ code: 'ENOENT' })).toBeUndefined();
    expect(nodeErrorCode(new Error('no code'))).toBeUndefined();
  });
});

describe('isOwnLack', () => {
  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL'])('is true for %s', (code) => {
    expect(isOwnLack(Object.assign(new Error(`connect ${code}`), { code }))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOENT', undefined])('is false for %s', (code) => {
    expect(isOwnLack(Object.assign(new Error('connect'), { code }))).toBe(false);
  });
});
