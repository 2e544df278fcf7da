import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describePasswordRules, passwordProblem, readPasswordRules, type PasswordRules } from './password-rules.js';

const alice = {
  username: 'alice@example.test',
  sipAddress: 'sip:alice@example.test',
  mail: 'a.archer@example.test',
  name: 'Alice Archer',
};

let rules: PasswordRules;
beforeAll(async () => {
  rules = await readPasswordRules({ passwordMinLength: 10, badPasswordsFile: undefined });
});

describe('the rules for new passwords', () => {
  it.each([
    'correct horse battery staple',
    'vier Bücher über Wale',
    '長い秘密の合言葉です今日',
    'aaaaaaaaab-7391-xk',
    '🦊🐺🐻🦁🐯🐨🐼🐸🐵🐔',
    'abcde-fghjk-mnpqr-23456',
    'x'.repeat(100) + '-and-7-more',
    'alice-in-wonderland-9',
    '10 PRINT "HELLO" : GOTO 10',
  ])('accept %s', (password) => {
    expect(passwordProblem(password, alice, rules)).toBeUndefined();
  });

  it.each([
    ['too short 9'.slice(0, 9), 'must have at least 10 characters'],
    ['ü'.normalize('NFD').repeat(9), 'must have at least 10 characters'],
    ['🦊'.repeat(9), 'must have at least 10 characters'],
    ['x7-k '.repeat(60), 'must have at most 256 characters'],
    ['x7-k '.repeat(1_000_000), 'must have at most 256 characters'],
    ['line one\nline two', 'must not have control characters'],
    [`half a character \ud800`, 'must not have control characters'],
    ['aaaaaaaaaaaa', 'must not repeat a few characters'],
    ['ababababcabab', 'must not repeat a few characters'],
    ['1234567890123', 'must not repeat a few characters or count up or down'],
    ['9876543210987', 'count up or down'],
    ['abcdefghijklmnop', 'count up or down'],
    ['1qaz2wsx3edc', 'is on the list of known passwords'],
    ['QWERTYUIOP', 'is on the list of known passwords'],
    ['Password2026!', 'is on the list of known passwords'],
    ['sunshine 1 2 3', 'is on the list of known passwords'],
    ['dragondragon', 'is on the list of known passwords'],
    ['Ringdown-2026', 'is on the list of known passwords'],
    ['alice@example.test', 'made of names'],
    ['Alice.Archer24', 'made of names'],
    ['ARCHERalice', 'made of names'],
  ])('reject no. %# of the list', (password, problem) => {
    expect(passwordProblem(password, alice, rules)?.text).toContain(problem);
  });

  it('have the minimum length of the settings', async () => {
    const long = await readPasswordRules({ passwordMinLength: 20, badPasswordsFile: undefined });
    expect(passwordProblem('correct horse', alice, long)).toEqual({
      code: 'length',
      text: 'must have at least 20 characters',
    });
    expect(describePasswordRules(long)[0]?.text).toContain('20 to 256 characters');
  });

  it('reject what an additional file has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-passwords-'));
    try {
      const file = join(folder, 'bad.txt');
      writeFileSync(file, `Correct Horse Battery\r\n\nBücher über Wale\n`);
      const own = await readPasswordRules({ passwordMinLength: 10, badPasswordsFile: file });
      for (const password of ['correct horse battery', 'BÜCHER über wale', 'bu\u0308cher über wale 99']) {
        expect(passwordProblem(password, alice, own)?.code).toBe('known');
      }
      writeFileSync(file, Buffer.from([0xe9, 0x0a]));
      const read = (): Promise<unknown> => readPasswordRules({ passwordMinLength: 10, badPasswordsFile: file });
      await expect(read()).rejects.toThrow(/BAD_PASSWORDS_FILE: .* is not UTF-8/);
      writeFileSync(file, Buffer.alloc(17 * 1024 * 1024, 0x61));
      await expect(read()).rejects.toThrow('more than 16 MiB');
      rmSync(file);
      await expect(read()).rejects.toThrow('cannot be read: ');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
