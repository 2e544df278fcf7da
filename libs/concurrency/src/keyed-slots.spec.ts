import { KeyedSlots } from './keyed-slots.js';

describe('KeyedSlots', () => {
  it('grants slots to each key, and again after their release', () => {
    const slots = new KeyedSlots(2);
    const [first, second] = [slots.acquire('anna'), slots.acquire('anna')];
    expect([slots.acquire('anna'), typeof slots.acquire('ben')]).toEqual([undefined, 'function']);
    first?.();
    first?.();
    expect([typeof slots.acquire('anna'), slots.acquire('anna')]).toEqual(['function', undefined]);
    second?.();
    expect(slots.acquire('anna')).toBeDefined();
  });

  it('grants several slots together or none of them', () => {
    const slots = new KeyedSlots(5);
    const three = slots.acquire('anna', 3);
    expect(slots.acquire('anna', 3)).toBeUndefined();
    expect(slots.acquire('anna', 2)).toBeDefined();
    three?.();
    expect([typeof slots.acquire('anna', 3), slots.acquire('anna')]).toEqual(['function', undefined]);
  });
});
