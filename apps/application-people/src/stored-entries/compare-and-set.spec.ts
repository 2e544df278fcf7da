import type { Entry } from '@ringdown/nats/buckets';
import { setImmediate as turn } from 'node:timers/promises';
import { compareAndSet } from './compare-and-set.js';

/** An entry of numbers, as all replicas see it: each call takes one turn of the event loop. */
class OneEntry {
  private entry: Entry<number> | undefined;

  async getNewest(): Promise<Entry<number> | undefined> {
    await turn();
    return this.entry;
  }

  create(_key: string, value: number): Promise<boolean> {
    return this.update('', value, 0);
  }

  async update(_key: string, value: number, revision: number): Promise<boolean> {
    await turn();
    if (revision !== (this.entry?.revision ?? 0)) return false;
    this.entry = { value, revision: revision + 1, storedAt: 0 };
    return true;
  }
}

describe('changes of one entry by two replicas', () => {
  it('are all made, although one has so many that it could be faster each time', async () => {
    const entry = new OneEntry();
    const add = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) await compareAndSet(entry, 'key', 0, (before) => before + 1);
    };
    await Promise.all([add(1_000), add(10)]);
    expect((await entry.getNewest())?.value).toBe(1_010);
  });

  it('write nothing when the value stays the same', async () => {
    const entry = new OneEntry();
    expect(await compareAndSet(entry, 'key', 7, (before) => before)).toEqual({ before: 7, after: 7 });
    expect(await entry.getNewest()).toBeUndefined();
  });
});
