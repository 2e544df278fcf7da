import { FEED_SYNTAX_CODES } from '@ringdown/xml-schemas';
import { runFuzz } from './fuzz-run.js';

const INPUTS = 80_000;
/** Always the same inputs, so that a failure can be reproduced; `npm run fuzz` uses others. */
const SEED = 20_260_304;
/** Compiled code and caches; 60,000 leaked bodies would be a hundred megabytes. */
const HEAP_PLAY = 16 * 1024 * 1024;

describe('a collector that receives 80,000 hostile bodies', () => {
  it('replies to each with 200 or 4xx, does not crash, and its memory does not grow', async () => {
    const { answers, heap } = await runFuzz(INPUTS, SEED);
    expect([...answers.values()].reduce((sum, count) => sum + count, 0)).toBe(INPUTS);
    // All paths through the reader were covered, and often.
    for (const answer of ['200', ...FEED_SYNTAX_CODES]) {
      expect([answer, (answers.get(answer) ?? 0) > 15]).toEqual([answer, true]);
    }
    expect(heap.late - heap.early).toBeLessThan(HEAP_PLAY);
  }, 600_000);
});
