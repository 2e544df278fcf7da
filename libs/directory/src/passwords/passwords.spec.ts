import { DirectoryBusy } from '../index.js';
import { generatePassword, hashPassword, PasswordChecks } from '../doors/passwords.js';

describe('passwords', () => {
  it('are generated easy to type, with at least 96 random bits', () => {
    const passwords = new Set(Array.from({ length: 100 }, generatePassword));
    expect(passwords.size).toBe(100);
    for (const password of passwords) expect(password).toMatch(/^([a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
  });

  it('match regardless of the Unicode form that the system uses', async () => {
    const checks = await PasswordChecks.create({ concurrency: 1, queueLength: 0 });
    const hash = await hashPassword('pass\u00e9'.normalize('NFD'));
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await checks.matches(hash, 'pass\u00e9')).toBe(true);
    expect(await checks.matches(hash, 'passe')).toBe(false);
  });

  it('never match without a hash', async () => {
    const checks = await PasswordChecks.create({ concurrency: 1, queueLength: 0 });
    expect(await checks.matches(undefined, '')).toBe(false);
  });

  it('are checked a few at a time, in order, with a limited queue', async () => {
    const checks = await PasswordChecks.create({ concurrency: 1, queueLength: 2 });
    const hash = await hashPassword('right');
    const outcomes = await Promise.allSettled([
      checks.matches(hash, 'right'),
      checks.matches(hash, 'wrong'),
      checks.matches(hash, 'right'),
      checks.matches(hash, 'right'),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))).toEqual([
      true,
      false,
      true,
      new DirectoryBusy(1),
    ]);
    expect(await checks.matches(hash, 'right')).toBe(true);
  });
});
