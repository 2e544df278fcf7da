import { setImmediate as afterOthers, setTimeout as sleep } from 'node:timers/promises';
import { BoundedSemaphore, QueueFull } from './index.js';

describe('BoundedSemaphore', () => {
  it('runs a few at a time in the order of the calls and rejects at once what exceeds the queue', async () => {
    const semaphore = new BoundedSemaphore({ concurrency: 2, queueLength: 1 });
    const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<number>());
    const begun: number[] = [];
    const outcomes = gates.map(({ promise }, index) =>
      semaphore.runExclusive(() => {
        begun.push(index);
        return promise;
      }),
    );
    await expect(outcomes[3]).rejects.toThrow(QueueFull);
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve(1);
    await afterOthers();
    expect(begun).toEqual([0, 1, 2]);
    gates[0]?.resolve(0);
    gates[2]?.resolve(2);
    expect(await Promise.all(outcomes.slice(0, 3))).toEqual([0, 1, 2]);
  });

  it('frees the place of work that fails', async () => {
    const semaphore = new BoundedSemaphore({ concurrency: 1, queueLength: 0 });
    await expect(semaphore.runExclusive(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await semaphore.runExclusive(() => Promise.resolve('next'))).toBe('next');
  });

  it('rejects work that has waited for too long, never runs it, and frees its place in the queue', async () => {
    const semaphore = new BoundedSemaphore({ concurrency: 1, queueLength: 1, maxWaitMs: 20 });
    const gate = Promise.withResolvers<string>();
    const begun: string[] = [];
    const run = (name: string, result: Promise<string>): Promise<string> =>
      semaphore.runExclusive(() => {
        begun.push(name);
        return result;
      });
    const slow = run('slow', gate.promise);
    await expect(run('late', Promise.resolve('late'))).rejects.toThrow(QueueFull);
    const next = run('next', Promise.resolve('next'));
    gate.resolve('slow');
    expect(await Promise.all([slow, next])).toEqual(['slow', 'next']);
    expect(begun).toEqual(['slow', 'next']);
  });

  it('does not limit the time of work that runs', async () => {
    const semaphore = new BoundedSemaphore({ concurrency: 1, queueLength: 0, maxWaitMs: 1 });
    expect(await semaphore.runExclusive(() => sleep(30, 'done'))).toBe('done');
  });
});
