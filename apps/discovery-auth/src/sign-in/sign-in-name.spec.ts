import { signInName } from './sign-in-name.js';

describe('the name of a user who signs in', () => {
  const domains = ['example.test', 'Branch.example.test'];

  it.each<[string, string | undefined]>([
    ['alice@example.test', 'alice@example.test'],
    [' Alice@Example.Test ', 'alice@example.test'],
    ['sip:alice@example.test', 'sip:alice@example.test'],
    ['alice', 'alice@example.test'],
    ['EXAMPLE\\alice', 'alice@example.test'],
    ['example.test\\alice', 'alice@example.test'],
    ['BRANCH\\alice', 'alice@branch.example.test'],
    ['OTHER\\alice', undefined],
  ])('%j means %s', (given, name) => {
    expect(signInName(given, domains)).toBe(name);
  });
});
