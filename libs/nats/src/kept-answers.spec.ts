import { setImmediate as turn } from 'node:timers/promises';
import { KeptAnswers } from './kept-answers.js';

const KEPT_MS = 900;

describe('an answer that is kept', () => {
  let value: string | undefined;
  let asked: number;
  let now: number;
  /** What holds answers up that have been found. */
  let held: Promise<unknown> | undefined;
  let isAway: boolean;
  let kept: KeptAnswers<string>;

  beforeEach(() => {
    [value, asked, now, held, isAway] = ['first', 0, 0, undefined, false];
    kept = new KeptAnswers({ ask, keptMs: KEPT_MS, now: () => now });
  });

  async function ask(): Promise<string | undefined> {
    asked++;
    if (isAway) throw new Error('nobody answers');
    const found = value;
    await held;
    return found;
  }

  /** Asks at a moment, and lets whatever that begins come to its end. */
  async function at(moment: number): Promise<string | undefined> {
    now = moment;
    const answer = await kept.get('key');
    await turn();
    return answer;
  }

  it('is asked for again before its time is over, and nobody waits for that', async () => {
    await at(0);
    value = 'second';
    expect([await at(599), asked]).toEqual(['first', 1]);
    expect([await at(600), asked]).toEqual(['first', 2]);
    expect([await at(601), asked]).toEqual(['second', 2]);
    expect([await at(1_499), asked]).toEqual(['second', 3]);
  });

  it('is not asked for again while nobody wants it', async () => {
    await at(0);
    now = 10_000;
    await turn();
    expect(asked).toBe(1);
  });

  it('is believed from when it was asked for, not from when it came', async () => {
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const first = kept.get('key');
    now = 800;
    release();
    expect(await first).toBe('first');
    value = 'second';
    expect(await at(900)).toBe('second');
  });

  it('is asked for once while it is on its way for the second time', async () => {
    await at(0);
    held = new Promise(() => undefined);
    expect([await at(700), await at(800), asked]).toEqual(['first', 'first', 2]);
  });

  it('is no longer believed after its time, however long the next one takes', async () => {
    await at(0);
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    expect(await at(700)).toBe('first');
    [value, held] = ['third', undefined];
    expect(await at(900)).toBe('third');
    // What was asked for earlier and comes later changes nothing.
    release();
    expect(await at(901)).toBe('third');
  });

  it('is gone as soon as it is gone where it came from', async () => {
    await at(0);
    value = undefined;
    await at(600);
    expect(await at(601)).toBeUndefined();
  });

  it('is not replaced by one from before it was forgotten', async () => {
    await at(0);
    let release: (found?: unknown) => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    await at(600);
    [value, held] = ['second', undefined];
    kept.forget('key');
    release();
    await turn();
    expect(await at(601)).toBe('second');
  });

  it('is believed to its end when it cannot be asked for again, and then that is said', async () => {
    await at(0);
    isAway = true;
    expect([await at(600), await at(899), asked]).toEqual(['first', 'first', 2]);
    await expect(at(900)).rejects.toThrow('nobody answers');
    isAway = false;
    expect(await at(901)).toBe('first');
  });
});
