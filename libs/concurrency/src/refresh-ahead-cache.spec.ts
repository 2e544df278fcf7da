import { setImmediate as nextTick } from 'node:timers/promises';
import { RefreshAheadCache } from './refresh-ahead-cache.js';

const MAX_AGE_MS = 900;

describe('a cached answer', () => {
  let value: string | undefined;
  let requests: number;
  let now: number;
  /** Delays answers that were found. */
  let held: Promise<unknown> | undefined;
  let isAway: boolean;
  let cache: RefreshAheadCache<string>;

  beforeEach(() => {
    [value, requests, now, held, isAway] = ['first', 0, 0, undefined, false];
    cache = new RefreshAheadCache({ load, maxAgeMs: MAX_AGE_MS, now: () => now });
  });

  async function load(): Promise<string | undefined> {
    requests++;
    if (isAway) throw new Error('no reply');
    const found = value;
    await held;
    return found;
  }

  /** Requests the answer at a moment, and waits until all work that this starts is done. */
  async function at(moment: number): Promise<string | undefined> {
    now = moment;
    const answer = await cache.get('key');
    await nextTick();
    return answer;
  }

  it('is refreshed before it expires, without making a caller wait', async () => {
    await at(0);
    value = 'second';
    expect([await at(599), requests]).toEqual(['first', 1]);
    expect([await at(600), requests]).toEqual(['first', 2]);
    expect([await at(601), requests]).toEqual(['second', 2]);
    expect([await at(1_499), requests]).toEqual(['second', 3]);
  });

  it('is not refreshed while no caller requests it', async () => {
    await at(0);
    now = 10_000;
    await nextTick();
    expect(requests).toBe(1);
  });

  it('is available at any age, without a request, to a caller who notices changes', async () => {
    expect([await cache.latest('key'), requests]).toEqual(['first', 1]);
    [value, now] = ['second', 10 * MAX_AGE_MS];
    expect([await cache.latest('key'), requests]).toEqual(['first', 1]);
    expect([await at(now), await cache.latest('key'), requests]).toEqual(['second', 'second', 2]);
  });

  it('is replaced by a value that the caller has stored, also if an earlier request is under way', async () => {
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const reading = cache.get('key');
    cache.set('key', 'stored');
    release();
    expect([await reading, await at(1), await at(599), requests]).toEqual(['first', 'stored', 'stored', 1]);
  });

  it('expires by the time of its request, not by the time of its arrival', async () => {
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const first = cache.get('key');
    now = 800;
    release();
    expect(await first).toBe('first');
    value = 'second';
    expect(await at(900)).toBe('second');
  });

  it('is refreshed by one request at a time', async () => {
    await at(0);
    held = new Promise(() => undefined);
    expect([await at(700), await at(800), requests]).toEqual(['first', 'first', 2]);
  });

  it('is not used after it expires, however long its refresh takes', async () => {
    await at(0);
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    expect(await at(700)).toBe('first');
    [value, held] = ['third', undefined];
    expect(await at(900)).toBe('third');
    // An answer that was requested earlier and arrives later changes nothing.
    release();
    expect(await at(901)).toBe('third');
  });

  it('is removed as soon as the source has no value any more', async () => {
    await at(0);
    value = undefined;
    await at(600);
    expect(await at(601)).toBeUndefined();
  });

  it('is not replaced by an answer requested before it was forgotten', async () => {
    await at(0);
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    await at(600);
    [value, held] = ['second', undefined];
    cache.forget('key');
    release();
    await nextTick();
    expect(await at(601)).toBe('second');
  });

  it('is used until it expires when its refresh fails, and then the failure is reported', async () => {
    await at(0);
    isAway = true;
    expect([await at(600), await at(899), requests]).toEqual(['first', 'first', 2]);
    await expect(at(900)).rejects.toThrow('no reply');
    isAway = false;
    expect(await at(901)).toBe('first');
  });
});
