import { setTimeout } from 'node:timers/promises';
import { pause } from './pause.js';

const YEAR_MS = 365 * 86_400_000;

describe('a pause', () => {
  it('of a year, as between two old captures, does not end at once, but when it is aborted', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warned);
    const stopping = new AbortController();
    const paused = pause(YEAR_MS, stopping.signal);
    const first = await Promise.race([paused.then(() => 'the pause'), setTimeout(50, 'the timer')]);
    expect([first, warnings]).toEqual(['the timer', []]);
    stopping.abort();
    await paused;
    process.off('warning', warned);
  });
});
