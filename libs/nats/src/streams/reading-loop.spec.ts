import { messagesAhead } from './reading-loop.js';

describe('the number of messages under way to a reader', () => {
  it('is high for small messages, lower for large ones, and never too low to keep the reader busy', () => {
    const ahead = (size: number): number => messagesAhead({ messages: 1_000, bytes: 1_000 * size });
    expect([2_000, 80_000, 160_000, 500_000, 1_000_000, 8_000_000].map(ahead)).toEqual([200, 200, 104, 33, 16, 16]);
    expect(messagesAhead({ messages: 0, bytes: 0 })).toBe(200);
  });
});
