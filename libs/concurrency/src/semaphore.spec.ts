import { setImmediate as afterOthers } from 'node:timers/promises';
import { Semaphore } from './index.js';

interface Acquiring {
  /** Names, in the order in which they acquired the semaphore. */
  readonly acquired: readonly string[];
  readonly release: (name: string) => Promise<void>;
}

/** What the readers of the feed need, whichever package provides it. */
describe('Semaphore', () => {
  function acquireAll(semaphore: Semaphore, names: readonly string[]): Acquiring {
    const acquired: string[] = [];
    const releases = new Map<string, () => void>();
    const acquire = async (name: string): Promise<void> => {
      const [, release] = await semaphore.acquire();
      acquired.push(name);
      releases.set(name, release);
    };
    for (const name of names) void acquire(name);
    const release = async (name: string): Promise<void> => {
      releases.get(name)?.();
      await afterOthers();
    };
    return { acquired, release };
  }

  it('is acquired by as many as allowed, then by those that have waited longest', async () => {
    const { acquired, release } = acquireAll(new Semaphore(2), ['a', 'b', 'c', 'd']);
    await afterOthers();
    expect(acquired).toEqual(['a', 'b']);
    await release('b');
    expect(acquired).toEqual(['a', 'b', 'c']);
    await release('a');
    expect(acquired).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is free again when the last holder releases it, and ignores a second release by the same holder', async () => {
    const semaphore = new Semaphore(1);
    const first = acquireAll(semaphore, ['a']);
    await afterOthers();
    await first.release('a');
    await first.release('a');
    const { acquired } = acquireAll(semaphore, ['b', 'c']);
    await afterOthers();
    expect(acquired).toEqual(['b']);
  });
});
