import { BY_THE_PERSON, DECLINE_REASONS, declineFor } from './decline-reasons.js';

describe('the reason of a declined invitation', () => {
  it.each([
    ['Local', 'Local', 'Declined'],
    ['GLOBAL', 'Global', 'Declined'],
    ['Unknown', 'Global', 'Declined'],
    ['busy', 'Global', 'Busy'],
    ['DoNotDisturb', 'Global', 'DoNotDisturb'],
    ['Timeout', 'Global', 'Timeout'],
    ['CodecMismatch', 'Local', 'NotAcceptable'],
    ['IPv6NotSupported', 'Local', 'NotAcceptable'],
    ['UnsupportedMedia', 'Local', 'UnsupportedMediaType'],
  ])('%s declines with scope %s, and the caller is told %s', (reason, scope, subcode) => {
    expect(declineFor(reason)).toEqual({ scope, subcode });
  });

  it.each(['Bored', 'toString', '__proto__', 'Local ', 'x'.repeat(251)])('%.20s is unknown', (reason) => {
    expect(declineFor(reason)).toBeUndefined();
  });

  it('has a meaning for each known name', () => {
    expect(DECLINE_REASONS.map((name) => declineFor(name) ?? name)).not.toContainEqual(expect.any(String));
    expect(BY_THE_PERSON).toEqual({ scope: 'Global', subcode: 'Declined' });
  });
});
