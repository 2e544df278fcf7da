import { IdentityHiding } from '@ringdown/identity-hiding';
import { hiddenText } from './name-searches.js';

const hiding = new IdentityHiding('seed of these very tests');
const DIALLED = '0114915112345678';

describe('a parameter of a search as operators see it who do not see users', () => {
  it.each(['user', 'not.user'])('shows a token in %s, with its domain or without', (parameter) => {
    const token = hiding.token('anna');
    for (const text of [token, `sip:${token}@example.test`, `${token.toLowerCase()}@example.test`]) {
      expect(hiddenText(hiding, parameter, text)).toBe(text);
    }
  });

  it.each(['user', 'not.user'])('replaces a number of 16 digits in %s by a token', (parameter) => {
    const token = hiding.token(DIALLED);
    expect(hiddenText(hiding, parameter, DIALLED)).toBe(token);
    expect(hiddenText(hiding, parameter, `sip:${DIALLED}@gw.example.test`)).toBe(`sip:${token}@gw.example.test`);
  });

  it('replaces a number of 16 digits in words by a mark', () => {
    expect(hiddenText(hiding, 'q', DIALLED)).toBe(`hidden-${hiding.token(DIALLED)}`);
  });
});
