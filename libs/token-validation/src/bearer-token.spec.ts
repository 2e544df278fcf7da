import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import { bearerToken, challenges } from './index.js';

describe('the token of a request', () => {
  it.each([
    [{ authorization: 'Bearer abc=_-' }, 'abc=_-'],
    [{ authorization: 'bearer  abc' }, 'abc'],
    [{ 'x-ringdown-webticket': 'abc' }, 'abc'],
    [{ authorization: 'Bearer abc', 'x-ringdown-webticket': 'other' }, 'abc'],
    [{ authorization: 'Basic YTpi' }, undefined],
    [{ authorization: 'Bearer' }, undefined],
    [{ authorization: 'Bearer a b' }, undefined],
    [{ authorization: `Bearer ${'a'.repeat(1_025)}` }, undefined],
    [{}, undefined],
  ])('in %j is %s', (headers, token) => {
    expect(bearerToken(headers, defaultProfile.web)).toBe(token);
  });
});

describe('the challenge', () => {
  it('has the exact form that clients expect, and a second line', () => {
    expect(challenges(defaultProfile.web, 'https://uc.example.test')).toEqual([
      'RingdownOAuth href="https://uc.example.test/uc/token",grant_type="urn:ringdown:uc:anonmeeting,password"',
      'Bearer realm="uc"',
    ]);
    expect(challenges(msProfile.web, 'https://uc.example.test')).toEqual([
      'MsRtcOAuth href="https://uc.example.test/WebTicket/oauthtoken",grant_type="urn:microsoft.rtc:anonmeeting,password"',
      'Bearer realm="uc"',
    ]);
  });
});
