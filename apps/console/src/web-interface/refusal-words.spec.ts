import { providerWords, refusalWords } from './refusal-words.js';

describe('the words of a refused request', () => {
  it('are those of the subcode, else of the code', () => {
    const code = 'invalid_grant';
    expect(refusalWords({ code, subcode: 'PersonBlocked' }, 'No.')).toBe(
      'An administrator of this server has blocked you.',
    );
    expect(refusalWords({ code, subcode: 'Later' }, 'No.')).toBe('The server did not accept the sign-in.');
    expect(refusalWords({ code: 'ServiceUnavailable' }, undefined)).toBe(
      'A required service is not available; try again later.',
    );
  });

  it.each(['Later', 'constructor'])('are those of the server for the unknown code %s', (code) => {
    expect(refusalWords({ code }, 'Of a later version.')).toBe('Of a later version.');
    expect(refusalWords({ code }, undefined)).toBeUndefined();
  });
});

describe('the words of an error of the sign-in provider', () => {
  it('are those of its code, else its own', () => {
    expect(providerWords('server_error', 'Oops.')).toBe('An internal error occurred at the sign-in provider.');
    expect(providerWords('odd', 'Odd.')).toBe('The sign-in provider answered: Odd.');
    expect(providerWords('odd', null)).toBe('The sign-in provider answered: odd');
  });
});
