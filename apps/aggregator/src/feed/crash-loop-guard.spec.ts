import { jest } from '@jest/globals';
import { partitionOfCall, type ReadRecord } from '@ringdown/contracts/records';
import type { Position, ReadBatch } from '@ringdown/feed-bus';
import { createLogger } from '@ringdown/observability';
import type { CallStore, Committed } from '../store/calls/call-store.js';
import type { Attempts } from '../store/database/reading-attempts.js';
import { CrashLoopGuard } from './crash-loop-guard.js';

const PARTITION = 3;
const RECORDS = 416;
const START: Position = { epoch: 'e', sequence: 7 };

/** As the table of the database. */
class StoredAttempts {
  starts = 0;
  tries: Attempts['tries'] = {};
  marks = 0;

  begin(): Promise<Attempts> {
    return Promise.resolve({ starts: ++this.starts, tries: this.tries });
  }

  storeTries(_partition: number, tries: Attempts['tries']): Promise<void> {
    this.marks++;
    this.tries = tries;
    return Promise.resolve();
  }

  delete(): Promise<void> {
    [this.starts, this.tries] = [0, {}];
    return Promise.resolve();
  }
}

/** The process ends: nothing after it runs. */
class ProcessEnded extends Error {}

function recordsInPartition(count: number): ReadRecord[] {
  const callIds = Array.from({ length: count * 40 }, (_, n) => `call-${n}`);
  return callIds
    .filter((callId) => partitionOfCall(callId) === PARTITION)
    .slice(0, count)
    .map((callId) => ({
      id: `id-${callId}`,
      receivedAt: 1,
      storedAt: 1,
      xml: '<x/>',
      record: { version: '1.0', connection: { callId, frontEnds: [] }, events: [] },
    }));
}

function batchOf(records: readonly ReadRecord[]): ReadBatch {
  const after = { epoch: 'e', sequence: 8 };
  return { partition: PARTITION, partitions: 8, records, sent: [], before: START, after, backlog: 0 };
}

const NOTHING: Omit<Committed, 'added'> = {
  calls: [],
  completed: [],
  duplicates: 0,
  reread: 0,
  impossibleValues: 0,
  refused: [],
};

/** One life of a process after the other; each reads the same batch. */
class Lives {
  readonly attempts = new StoredAttempts();
  readonly setAside: unknown[] = [];
  commits = 0;

  constructor(private readonly records: readonly ReadRecord[]) {}

  /** `commit`: what happens while these records are stored. Resolves with whether the process has survived. */
  async next(commit: (records: readonly ReadRecord[]) => void | Promise<void>): Promise<boolean> {
    const guard = this.start(commit);
    try {
      await guard.begin(PARTITION, START);
      await guard.process(batchOf(this.records));
      return true;
    } catch (error) {
      if (error instanceof ProcessEnded) return false;
      throw error;
    }
  }

  private start(commit: (records: readonly ReadRecord[]) => void | Promise<void>): CrashLoopGuard {
    return new CrashLoopGuard({
      attempts: this.attempts,
      store: {
        commit: async (...[, records = []]: Parameters<CallStore['commit']>) => {
          this.commits++;
          await commit(records);
          return { ...NOTHING, added: records.length };
        },
        dryRun: () => Promise.resolve(),
      },
      time: () => Promise.resolve({ now: 1, isBusRight: true }),
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      setAside: (_batch, unprocessable) => {
        this.setAside.push(...unprocessable.map(({ record }) => record));
        return Promise.resolve();
      },
    });
  }
}

describe('reading after the end of a process', () => {
  const records = recordsInPartition(RECORDS);

  it.each([0, 1, 31, 32, 200, RECORDS - 1])(
    'finds the record number %i that ends its process, by the fifth start',
    async (at) => {
      const poison = records[at];
      const lives = new Lives(records);
      let starts = 1;
      const endsAtPoison = (some: readonly ReadRecord[]): void => {
        if (some.some(({ id }) => id === poison?.id)) throw new ProcessEnded();
      };
      while (!(await lives.next(endsAtPoison))) starts++;
      expect(starts).toBe(5);
      expect(lives.setAside).toEqual([poison]);
    },
  );

  it('takes a few steps more after kills with records in hand, not one for each record, and sets nothing aside', async () => {
    const lives = new Lives(records);
    let commits = 0;
    for (const killedAt of [1, 4, 9]) {
      commits = lives.commits;
      const kill = (): void => {
        if (lives.commits - commits === killedAt) throw new ProcessEnded();
      };
      expect(await lives.next(kill)).toBe(false);
    }
    [commits, lives.attempts.marks] = [lives.commits, 0];
    expect(await lives.next(() => undefined)).toBe(true);
    expect(lives.setAside).toEqual([]);
    // Of 416 records, only those are read alone that were in hand at one of the kills.
    expect(lives.commits - commits).toBeLessThan(90);
    expect(lives.attempts.marks).toBeLessThan(90);
  });

  it('suspects no record when processes are killed while they wait for the database', async () => {
    jest.useFakeTimers();
    try {
      const lives = new Lives(records.slice(0, 1));
      for (let kills = 0; kills < 6; kills++) {
        const waits = async (): Promise<void> => {
          await jest.advanceTimersByTimeAsync(5_000);
          throw new ProcessEnded();
        };
        expect(await lives.next(waits)).toBe(false);
      }
      expect(await lives.next(() => undefined)).toBe(true);
      expect(lives.setAside).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });
});
