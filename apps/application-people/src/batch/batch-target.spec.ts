import { InterfaceError } from '@ringdown/web-server/errors';
import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import { BatchTargets } from './batch-target.js';

const ID = '123456789012';
const A = `/uc/v1/applications/${ID}`;
const targets = new BatchTargets(defaultProfile.web);

describe('the target of a request in a batch', () => {
  it.each([
    [A, A],
    [`${A}/people/search?query=a&limit=3`, `${A}/people/search?query=a&limit=3`],
    [`${A}/people/search?query=Zoë Em`, `${A}/people/search?query=Zo%C3%AB%20Em`],
    [`https://uc.example.test${A}/me`, `${A}/me`],
    [`/${A}/me`, `${A}/me`],
    [`https://uc.example.test/${A}/me`, `${A}/me`],
    [`${A.toUpperCase()}/ME`, `${A.toUpperCase()}/ME`],
    [`${A}/communication/conversations/1/messaging/events`, `${A}/communication/conversations/1/messaging/events`],
  ])('is accepted as %s', (target, url) => {
    expect(targets.of(target, ID)).toBe(url);
  });

  it('is resolved under the paths of the profile', () => {
    const ms = new BatchTargets(msProfile.web);
    const target = `/ucwa/oauth/v1/applications/${ID}/me`;
    expect(ms.of(target, ID)).toBe(target);
    expect(() => ms.of(`/ucwa/oauth/v1/applications/${ID}/batch`, ID)).toThrow(
      'A batch cannot contain requests for batch.',
    );
  });

  it.each([
    `${A}/batch`,
    `${A}//Batch/`,
    `${A}/%62atch`,
    `${A}/people/../batch`,
    `${A}/people/%2e%2e/batch`,
    `${A}\\batch`,
    `${A}/events?ack=1`,
    `${A}/photos/a@x.test`,
    '/uc/v1/applications',
    '/uc/v1/applications/999999999999/me',
    `${A}/../999999999999/me`,
    '/uc/token',
    `//evil.example${A}/me`,
    '/api/calls',
    '/',
    '*',
    `${A}/%`,
    'https://[',
    `${A}0/me`,
  ])('is rejected as %s', (target) => {
    expect(() => targets.of(target, ID)).toThrow(InterfaceError);
  });
});
