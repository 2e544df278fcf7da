import type { WrongParameter } from './answers.js';
import { de } from '../texts/de/api.js';
import { problemWords, wrongWords } from './problem-words.js';

describe('the words of a refused request', () => {
  it('are those of its code', () => {
    expect(problemWords({ code: 'wrong-password', detail: 'No.' })).toBe('The current password is wrong.');
  });

  it('are those of the broken rule of a new password', () => {
    const parameters = [{ name: 'new', reason: 'It is short.', code: 'length' }] as const;
    expect(problemWords({ code: 'bad-parameter', detail: 'It is short.', parameters })).toBe(
      'The new password is too short or too long.',
    );
  });

  it('name a wrong parameter in the words of the server, which are English', () => {
    const parameters = [{ name: 'limit', reason: 'limit must be a number', code: 'number' }] as const;
    const problem = { code: 'bad-parameter', detail: 'limit must be a number', parameters } as const;
    expect(problemWords(problem)).toBe('limit must be a number');
  });

  it.each([
    ['with the reason, where its code is known', 'number', 'limit (keine Zahl im erlaubten Bereich)'],
    ['without a reason, where a later version wrote the code', 'later', 'limit'],
    ['without a reason, where it has no code', undefined, 'limit'],
  ])('name a wrong parameter in the language of the page %s', (_how, code, words) => {
    const parameter: WrongParameter = JSON.parse(JSON.stringify({ name: 'limit', reason: 'limit must be 1', code }));
    expect(wrongWords(parameter, de)).toBe(words);
  });

  it('list wrong parameters in the language of the page', () => {
    expect(de.badParameters('limit', 'limit must be 1')).toBe('Diese Angaben fehlen oder sind nicht möglich: limit.');
  });

  it.each(['bad-parameter', undefined] as const)('are those of the server for the code %s', (code) => {
    expect(problemWords({ ...(code && { code }), detail: 'limit must be a number' })).toBe('limit must be a number');
  });

  it('are those of the server for a code that this page does not know', () => {
    const later = JSON.parse('{ "code": "later", "detail": "Of a later version." }');
    expect(problemWords(later)).toBe('Of a later version.');
  });
});
