import { formatSummary, NOTHING_SENT } from './summary.js';

const ANSWERED = { ...NOTHING_SENT, interrupted: false, seconds: 2 };

describe('the summary of what was sent', () => {
  it.each([
    [1, '1 record of 1 call from 1 front end in 2 s: all answered'],
    [2, '2 records of 2 calls from 2 front ends in 2 s: all answered'],
  ])('has the right forms of words for %d', (count, text) => {
    const numbers = { calls: count, frontEnds: count, records: count, recordsAnswered: count };
    expect(formatSummary({ ...ANSWERED, ...numbers })).toBe(`${text}\n`);
  });
});
