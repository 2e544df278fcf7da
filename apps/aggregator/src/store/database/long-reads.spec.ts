import { jest } from '@jest/globals';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { LongReads, TooManyLongReads } from './long-reads.js';

/** As PostgreSQL ends a statement after `statement_timeout`. */
function ended(): DatabaseError {
  return Object.assign(new DatabaseError('canceling statement', 0, 'error'), { code: '57014' });
}

describe('the reads of one user', () => {
  const LONG_MS = 10_000;
  let reads: LongReads;
  let begun: string[];

  beforeEach(() => {
    reads = new LongReads({ connections: 3, longMs: LONG_MS });
    begun = [];
  });

  /** A read that takes long until it is let go. */
  function long(username: string): { readonly answer: Promise<string>; letGo(): void } {
    const gate = Promise.withResolvers<string>();
    const answer = reads.run(username, (limitMs) => {
      begun.push(`${username} ${limitMs}`);
      return limitMs < LONG_MS ? Promise.reject(ended()) : gate.promise;
    });
    return { answer, letGo: () => gate.resolve(username) };
  }

  function short(username: string): Promise<string> {
    return reads.run(username, (limitMs) => {
      begun.push(`${username} ${limitMs}`);
      return Promise.resolve('page');
    });
  }

  it('may take long on all connections but one, and beside them a second at most', async () => {
    const [first, second] = [long('anna'), long('anna')];
    expect(await short('anna')).toBe('page');
    expect(begun).toEqual(['anna 10000', 'anna 10000', 'anna 1000']);
    first.letGo();
    second.letGo();
    await Promise.all([first.answer, second.answer]);
    expect(await short('anna')).toBe('page');
    expect(begun.at(-1)).toBe('anna 10000');
  });

  it('are repeated when they take longer than that second and a long one has ended', async () => {
    const [first, second, third] = [long('anna'), long('anna'), long('anna')];
    await afterOthers();
    expect(begun).toEqual(['anna 10000', 'anna 10000', 'anna 1000']);
    first.letGo();
    await first.answer;
    await afterOthers();
    expect(begun.at(-1)).toBe('anna 10000');
    third.letGo();
    expect(await third.answer).toBe('anna');
    second.letGo();
    await second.answer;
  });

  it('are rejected when no long one ends within five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const running = [long('anna'), long('anna')];
    const { answer } = long('anna');
    const failure = answer.catch((error: unknown) => error);
    await afterOthers();
    jest.advanceTimersByTime(5_000);
    expect(await failure).toBeInstanceOf(TooManyLongReads);
    jest.useRealTimers();
    for (const each of running) each.letGo();
    await Promise.all(running.map((each) => each.answer));
  });

  it('do not count for another user', async () => {
    const running = [long('anna'), long('anna'), long('ben')];
    await afterOthers();
    expect(begun).toEqual(['anna 10000', 'anna 10000', 'ben 10000']);
    for (const each of running) each.letGo();
    await Promise.all(running.map((each) => each.answer));
  });

  it('fail as the database does', async () => {
    const running = [long('anna'), long('anna')];
    const failure = new Error('lost');
    await expect(reads.run('anna', () => Promise.reject(failure))).rejects.toBe(failure);
    for (const each of running) each.letGo();
    await Promise.all(running.map((each) => each.answer));
  });
});
