import { jest } from '@jest/globals';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { completeWhenReady } from './complete-when-ready.js';

describe('the completion of an upgrade', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function upgrade(readyAfter: number, complete: () => void): Parameters<typeof completeWhenReady>[0] {
    let asked = 0;
    const report = async (): ReturnType<typeof completeReport> => completeReport(asked++ >= readyAfter);
    return { health: { report }, logger: quietLogger(), complete };
  }

  async function completeReport(ready: boolean): Promise<{ ready: boolean; parts: {}; limited: [] }> {
    return Promise.resolve({ ready, parts: {}, limited: [] });
  }

  it('is written before it returns when all parts are ready', async () => {
    const complete = jest.fn();
    await completeWhenReady(upgrade(0, complete));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(complete).toHaveBeenCalledTimes(1);
  });

  it('waits for as long as the parts need, and is written once', async () => {
    const complete = jest.fn();
    await completeWhenReady(upgrade(5, complete));
    await jest.advanceTimersByTimeAsync(4_500);
    expect(complete).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(complete).toHaveBeenCalledTimes(1);
  });

  it('is tried again where it could not be written, until the system stops', async () => {
    const complete = jest.fn(() => {
      throw new Error('ENOSPC');
    });
    const completion = await completeWhenReady(upgrade(0, complete));
    await jest.advanceTimersByTimeAsync(2_500);
    expect(complete).toHaveBeenCalledTimes(3);
    completion.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(complete).toHaveBeenCalledTimes(3);
  });
});
