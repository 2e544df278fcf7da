import { BatchTurns } from './batch-turns.js';

describe('turns of readers', () => {
  /** Who has had the word so far, in order, and how each gives it up. */
  function asking(turns: BatchTurns, names: readonly string[]): { turn: string[]; end: (name: string) => void } {
    const turn: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = async (name: string): Promise<void> => {
      ends.set(name, await turns.take());
      turn.push(name);
    };
    for (const name of names) void ask(name);
    return { turn, end: (name) => ends.get(name)?.() };
  }

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are had by as many as may at the same time, and then by who has waited longest', async () => {
    const { turn, end } = asking(new BatchTurns(2), ['a', 'b', 'c', 'd']);
    await settled();
    expect(turn).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(turn).toEqual(['a', 'b', 'c']);
    end('a');
    end('c');
    await settled();
    expect(turn).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are there again when nobody waits', async () => {
    const turns = new BatchTurns(1);
    const first = asking(turns, ['a']);
    await settled();
    first.end('a');
    const { turn } = asking(turns, ['b', 'c']);
    await settled();
    expect(turn).toEqual(['b']);
  });
});
