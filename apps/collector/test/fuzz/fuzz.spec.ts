import { FEED_SYNTAX_CODES } from '@ringdown/xml-schemas';
import { runFuzz } from './fuzz-run.js';

const INPUTS = 200_000;
/** Always the same inputs, so that what fails once fails again; `npm run fuzz` takes others. */
const SEED = 20_260_304;
/** Compiled code and caches; 150,000 bodies would be hundreds. */
const HEAP_PLAY = 16 * 1024 * 1024;

describe('a collector that is sent 200,000 hostile bodies', () => {
  it('answers each with 200 or 4xx, does not crash, and its memory does not grow', async () => {
    const { answers, heap } = await runFuzz(INPUTS, SEED);
    expect([...answers.values()].reduce((sum, count) => sum + count, 0)).toBe(INPUTS);
    // All of the ways through the reader were taken, and taken often.
    for (const answer of ['200', ...FEED_SYNTAX_CODES]) {
      expect([answer, (answers.get(answer) ?? 0) > 50]).toEqual([answer, true]);
    }
    expect(heap.late - heap.early).toBeLessThan(HEAP_PLAY);
  }, 600_000);
});
