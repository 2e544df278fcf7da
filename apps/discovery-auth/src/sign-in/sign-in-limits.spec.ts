import { LocalWindows } from './counted-windows.js';

describe('requests counted in windows', () => {
  it('are rejected above the limit, until the end of the window that began with the first', () => {
    let now = 1_000;
    const windows = new LocalWindows({ limit: 2, windowMs: 60_000, now: () => now });
    expect([windows.add('a'), windows.add('a')]).toEqual([undefined, undefined]);
    now += 10_000;
    expect(windows.add('a')).toBe(50_000);
    expect(windows.add('b')).toBeUndefined();
    now += 49_999;
    expect(windows.add('a')).toBe(1);
    now += 1;
    expect([windows.add('a'), windows.add('a'), windows.add('a')]).toEqual([undefined, undefined, 60_000]);
  });

  it('use limited memory, however many addresses there are', () => {
    const windows = new LocalWindows({ limit: 1, windowMs: 60_000, now: () => 0 });
    for (let i = 0; i < 50_001; i++) windows.add(`address ${i}`);
    expect(windows.add('address 0')).toBeUndefined();
    expect(windows.add('address 50000')).toBe(60_000);
  });
});
