import { de } from '../texts/de/api.js';
import { problemWords } from './problem-words.js';

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

  it('have the reason in the language of the page', () => {
    const wrong = de.wrongParameter('limit', de.parameterProblems.number);
    expect(de.badParameters(wrong, 'limit must be a number')).toBe(
      'Diese Angaben fehlen oder sind nicht möglich: limit (keine Zahl im erlaubten Bereich).',
    );
  });

  it.each(['bad-parameter', undefined] as const)('are those of the server for the code %s', (code) => {
    expect(problemWords({ ...(code && { code }), detail: 'limit must be a number' })).toBe('limit must be a number');
  });

  it('are those of the server for a code that this page does not know', () => {
    const later = JSON.parse('{ "code": "later", "detail": "Of a later version." }');
    expect(problemWords(later)).toBe('Of a later version.');
  });
});
