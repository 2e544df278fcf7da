import { setImmediate as afterOthers } from 'node:timers/promises';
import { KeyedMutex } from './index.js';

interface Started {
  readonly begun: readonly string[];
  readonly outcomes: Promise<readonly PromiseSettledResult<string>[]>;
  readonly end: (index: number, error?: Error) => Promise<void>;
}

describe('KeyedMutex', () => {
  /** Starts work for each key, logs what begins, and lets the test end each by its number. */
  function started(mutex: KeyedMutex, keys: readonly string[]): Started {
    const begun: string[] = [];
    const gates = keys.map(() => Promise.withResolvers<string>());
    const results = keys.map((key, index) =>
      mutex.runExclusive(key, () => {
        begun.push(`${key}${index}`);
        return gates[index]?.promise ?? Promise.reject(new Error('no gate'));
      }),
    );
    const outcomes = Promise.allSettled(results);
    const end = async (index: number, error?: Error): Promise<void> => {
      if (error === undefined) gates[index]?.resolve(`result ${index}`);
      else gates[index]?.reject(error);
      await afterOthers();
    };
    return { begun, outcomes, end };
  }

  it('runs work with one key in the order of the calls and other keys in parallel', async () => {
    const { begun, outcomes, end } = started(new KeyedMutex(), ['a', 'a', 'b', 'a', 'b']);
    await afterOthers();
    expect(begun).toEqual(['a0', 'b2']);
    await end(0);
    expect(begun).toEqual(['a0', 'b2', 'a1']);
    for (const index of [1, 2, 3, 4]) await end(index);
    expect(begun).toEqual(['a0', 'b2', 'a1', 'a3', 'b4']);
    expect(await outcomes).toEqual([0, 1, 2, 3, 4].map((index) => ({ status: 'fulfilled', value: `result ${index}` })));
  });

  it('passes an error to its caller and runs the next work with the key', async () => {
    const { begun, outcomes, end } = started(new KeyedMutex(), ['a', 'a']);
    const reason = new Error('failed');
    await end(0, reason);
    await end(1);
    expect(begun).toEqual(['a0', 'a1']);
    expect(await outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'result 1' },
    ]);
  });

  it('frees the key when work throws before its first promise', async () => {
    const mutex = new KeyedMutex();
    const thrown = mutex.runExclusive('a', () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    expect(await mutex.runExclusive('a', () => Promise.resolve('next'))).toBe('next');
  });

  it('forgets a key once no work with it runs or waits, after errors too', async () => {
    const mutex = new KeyedMutex();
    const { end } = started(mutex, ['a', 'a', 'b']);
    expect(mutex.size).toBe(2);
    await end(2, new Error('failed'));
    await end(0);
    expect(mutex.size).toBe(1);
    await end(1);
    expect(mutex.size).toBe(0);
  });

  it('stays exclusive for calls that are made at the moment the key becomes free', async () => {
    const mutex = new KeyedMutex();
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    };
    const chain = async (): Promise<void> => {
      for (let i = 0; i < 200; i++) await mutex.runExclusive('a', work);
    };
    await Promise.all([chain(), chain(), chain()]);
    expect(most).toBe(1);
    expect(mutex.size).toBe(0);
  });
});
