import { SharedReading } from './shared-reading.js';

/** A reading whose ends are in the hands of the test. */
function readings(): { shared: SharedReading<number>; ends: { ok(): void; fail(): void }[] } {
  const ends: { ok(): void; fail(): void }[] = [];
  const shared = new SharedReading<number>(
    () =>
      new Promise((resolve, reject) => {
        const number = ends.length + 1;
        ends.push({ ok: () => resolve(number), fail: () => reject(new Error(`reading ${number}`)) });
      }),
  );
  return { shared, ends };
}

describe('a shared reading', () => {
  it('gives nobody what was begun before they asked, and reads once for all who ask meanwhile', async () => {
    const { shared, ends } = readings();
    const first = shared.get();
    const later = Array.from({ length: 300 }, () => shared.get());
    ends[0]?.ok();
    expect(await first).toBe(1);
    await new Promise(setImmediate);
    const latest = shared.get();
    ends[1]?.ok();
    expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
    await new Promise(setImmediate);
    ends[2]?.ok();
    expect(await latest).toBe(3);
    expect(ends).toHaveLength(3);
  });

  it('tells those who waited for it that it failed, and reads again for the next', async () => {
    const { shared, ends } = readings();
    const first = shared.get();
    const second = shared.get();
    ends[0]?.fail();
    await expect(first).rejects.toThrow('reading 1');
    await new Promise(setImmediate);
    ends[1]?.ok();
    expect(await second).toBe(2);
    const third = shared.get();
    ends[2]?.ok();
    expect(await third).toBe(3);
  });
});
