import type { Answer } from '@ringdown/testing/launched-system';
import { answeredAtOnce } from '../../src/answered-at-once.js';
import { system } from './system.js';

const MAX_ANSWER_BYTES = 10_000;

const operator = system.addPerson('namer', 'operator');
const manyNames = Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [`n${index}`, 1]));

describe('a body with 24,000 made-up names', () => {
  let token: string;
  beforeAll(async () => {
    token = await system.tokenOf(operator);
  });

  it.each<[string, (member: string) => object]>([
    ['as properties', () => manyNames],
    ['in a declared property', (member) => ({ name: 'a', [member]: manyNames })],
    ['in an unknown property', () => ({ name: 'a', other: manyNames })],
    ['in a list', (member) => ({ name: 'a', [member]: [manyNames] })],
    ['that are one name of 250,000 characters', () => ({ ['n'.repeat(250_000)]: 1 })],
  ])('is answered at once and shortly, with names %s', async (_what, content) => {
    const headers = { 'content-type': 'application/json' };
    for (const [path, member] of [
      ['/api/searches', 'parameters'],
      ['/api/alert-rules', 'search'],
    ] as const) {
      const body = JSON.stringify(content(member));
      const post = (): Promise<Answer> => system.client.as(token, path, { method: 'POST', headers, body });
      const { status, text } = await answeredAtOnce(system.client, post);
      expect([path, status]).toEqual([path, 400]);
      expect(text.length).toBeLessThan(MAX_ANSWER_BYTES);
    }
  });
});
