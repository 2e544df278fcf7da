import { callHref, callIdInAddress, callListInAddress } from './call-address.js';

describe('the address of a call', () => {
  it.each(['a1@192.0.2.1', 'a/b?c=d#e', '50%', 'a%40b', 'ü ß;x', '.', '..'])('contains the CallId %s', (callId) => {
    const { pathname } = new URL(`/console${callHref(callId)}`, 'https://example.test');
    expect(callIdInAddress(pathname)).toBe(callId);
  });

  it('contains the list that the call was opened from', () => {
    const list = 'verdict=bad%2Cpoor&user=a%26b';
    const address = new URL(`/console${callHref('a/b?', list)}`, 'https://example.test');
    expect([callIdInAddress(address.pathname), callListInAddress(address.search)]).toEqual(['a/b?', list]);
    expect(callListInAddress('')).toBeNull();
  });

  it('returns a malformed CallId as it is', () => {
    expect(callIdInAddress('/console/calls/a%E0%A4')).toBe('a%E0%A4');
  });
});
