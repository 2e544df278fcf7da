import { setTimeout as pause } from 'node:timers/promises';
import { withTicks } from './with-ticks.js';

async function* slowly(): AsyncGenerator<number> {
  yield 1;
  yield 2;
  await pause(120);
  yield 3;
}

async function collect(items: AsyncIterable<number | undefined>): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for await (const each of items) found.push(each);
  return found;
}

describe('withTicks', () => {
  it('yields the items in order, and ticks while there are none', async () => {
    const found = await collect(withTicks(slowly(), 30));
    expect(found.filter((each) => each !== undefined)).toEqual([1, 2, 3]);
    expect(found.slice(0, 2)).toEqual([1, 2]);
    expect(found.filter((each) => each === undefined).length).toBeGreaterThan(1);
  });

  it('passes on the error of the source', async () => {
    const broken = async function* (): AsyncGenerator<number> {
      yield 1;
      await pause(1);
      throw new Error('unplugged');
    };
    await expect(collect(withTicks(broken(), 1_000))).rejects.toThrow('unplugged');
  });
});
