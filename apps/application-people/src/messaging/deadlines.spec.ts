import { jest } from '@jest/globals';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Deadlines } from './deadlines.js';

describe('the deadlines of conversations', () => {
  let setDue: (id: string, due: number | undefined) => void;
  let answers: ((due: number | undefined) => void)[];
  let deadlines: Deadlines;

  beforeEach(() => {
    jest.useFakeTimers();
    answers = [];
    deadlines = new Deadlines({
      store: {
        follow: (_logger, onDue) => {
          setDue = onDue;
          return () => undefined;
        },
      },
      logger: quietLogger(),
      now: Date.now,
      onDue: () => new Promise((resolve) => answers.push(resolve)),
    });
  });
  afterEach(async () => {
    for (const answer of answers) answer(undefined);
    await deadlines.close();
    jest.useRealTimers();
  });

  it('are processed when they are due, not before', async () => {
    setDue('one', Date.now() + 1_000);
    await jest.advanceTimersByTimeAsync(750);
    expect(answers).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(500);
    expect(answers).toHaveLength(1);
  });

  it('are due again at the time that the processing returns', async () => {
    setDue('one', Date.now());
    await jest.advanceTimersByTimeAsync(250);
    answers[0]?.(Date.now() + 10_000);
    await jest.advanceTimersByTimeAsync(9_500);
    expect(answers).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(answers).toHaveLength(2);
  });

  it('are those of the latest change, even if it arrives during the processing', async () => {
    setDue('one', Date.now());
    await jest.advanceTimersByTimeAsync(250);
    setDue('one', Date.now() + 500);
    answers[0]?.(Date.now() + 60_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(answers).toHaveLength(2);
  });

  it('are forgotten with the conversation', async () => {
    setDue('one', Date.now() + 500);
    setDue('one', undefined);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(0);
  });
});
