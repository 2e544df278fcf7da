import { SmallMap } from './small-map.js';

describe('a map of few entries', () => {
  it('returns nothing for a key that it does not know', () => {
    const map = new SmallMap<number>(2);
    map.delete('a');
    expect([map.size, map.has('a'), map.get('a'), map.values()]).toEqual([0, false, undefined, []]);
  });

  it('returns the value that was set last, in the order of the keys', () => {
    const map = new SmallMap<number | undefined>(3);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', undefined],
    ] as const)
      map.set(key, value);
    expect([map.size, map.has('a'), map.get('a'), map.get('b')]).toEqual([2, true, undefined, 2]);
    expect(map.values()).toEqual([undefined, 2]);
  });

  it('drops the oldest entry beyond its limit', () => {
    const map = new SmallMap<number>(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      map.set(key, value);
    expect([map.has('a'), map.values()]).toEqual([false, [2, 4]]);
  });

  it('forgets entries that are deleted or cleared', () => {
    const map = new SmallMap<number>(4);
    for (const key of ['a', 'b', 'c']) map.set(key, 1);
    map.delete('b');
    expect([map.has('b'), map.size]).toEqual([false, 2]);
    map.clear();
    expect([map.has('a'), map.size]).toEqual([false, 0]);
  });
});
