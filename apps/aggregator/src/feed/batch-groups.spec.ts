import { jest } from '@jest/globals';
import { Semaphore } from '@ringdown/concurrency';
import { Dice } from '@ringdown/testing/fuzz/dice';
import { BatchGroups, type InHand } from './batch-groups.js';

const SLOTS = 2;
const PARTITIONS = Array.from({ length: 8 }, (_, partition) => partition);
const GROUP_BYTES = 4 * 1024 * 1024;
const LITTLE: InHand = { bytes: 2_000, isFull: false };
const FULL: InHand = { bytes: GROUP_BYTES, isFull: true };

interface Batch {
  readonly partition: number;
  readonly number: number;
  readonly bytes: number;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Partitions that read and store batches until they are stopped, in simulated time. */
class Replica {
  readonly slots = new Semaphore(SLOTS);
  /** In the order in which they were stored. */
  readonly stored: Batch[] = [];
  readonly groups: (readonly Batch[])[] = [];
  readonly problems: string[] = [];
  /** Milliseconds that a partition has waited while a slot was free. */
  readonly idleMs = PARTITIONS.map(() => 0);
  /** Groups that began while it waited. */
  private readonly passed = PARTITIONS.map(() => 0);
  readonly waits = new Set<number>();
  private readonly batches = new BatchGroups<Batch, Batch>({
    slots: this.slots,
    storeTogether: (batches) => this.storeTogether(batches),
  });
  private readonly writing = new Set<number>();
  isStopping = false;

  /** `longestMs`: of a transaction. */
  constructor(
    private readonly dice: Dice,
    private readonly longestMs = 300,
  ) {}

  /** `pauseMs`: the longest time between two batches. */
  async read(partition: number, inHand: () => InHand, pauseMs: number): Promise<number> {
    let number = 0;
    let current = LITTLE;
    let isAlone = true;
    const place = this.batches.place(
      () => current,
      () => isAlone,
    );
    while (!this.isStopping) {
      await wait(this.dice.below(pauseMs + 1));
      current = inHand();
      this.waits.add(partition);
      this.passed[partition] = 0;
      const [, release] = await place.acquire();
      const wasAlone = isAlone;
      isAlone = this.dice.onceIn(10);
      this.waits.delete(partition);
      this.idleMs[partition] = 0;
      // It may read some more until it decodes.
      const bytes = this.dice.of([current.bytes, Math.max(current.bytes, place.mostBytes)]);
      // Most decode at once, some wait for the bus.
      await wait(this.dice.onceIn(20) ? 1_000 : this.dice.below(5));
      if (this.dice.onceIn(10)) {
        // Its reading has failed.
        release();
        continue;
      }
      const batch = { partition, number: number++, bytes };
      const stored =
        wasAlone || this.dice.onceIn(10) ? undefined : await place.store(batch).catch((error: unknown) => error);
      if (stored === undefined) await place.alone(() => this.write([batch]));
      else if (stored instanceof Error) number--;
      release();
    }
    return number;
  }

  /** To be called each millisecond. */
  observe(): void {
    if (this.slots.getValue() === 0) return;
    for (const partition of this.waits) {
      const ms = (this.idleMs[partition] ?? 0) + 1;
      this.idleMs[partition] = ms;
      if (ms > 101) this.problems.push(`partition ${partition} waits for ${ms} ms, and a slot is free`);
    }
  }

  private async storeTogether(batches: readonly Batch[]): Promise<readonly (Batch | undefined)[]> {
    this.groups.push(batches);
    for (const partition of this.waits) {
      const passed = (this.passed[partition] ?? 0) + 1;
      this.passed[partition] = passed;
      if (passed > PARTITIONS.length + SLOTS)
        this.problems.push(`${passed} groups began while partition ${partition} waited`);
    }
    const failure = this.dice.below(20);
    if (failure === 0) {
      await wait(5);
      return [];
    }
    if (failure === 1) throw new Error('the database is not there');
    const apart = new Set(failure === 2 ? batches.slice(0, 1) : []);
    await this.write(batches.filter((batch) => !apart.has(batch)));
    return batches.map((batch) => (apart.has(batch) ? undefined : batch));
  }

  private async write(batches: readonly Batch[]): Promise<Batch> {
    const partitions = batches.map(({ partition }) => partition);
    if (partitions.some((partition) => this.writing.has(partition)))
      this.problems.push(`two transactions at a time for one of ${partitions.join()}`);
    for (const partition of partitions) this.writing.add(partition);
    if (this.writing.size > 0 && this.slots.getValue() >= SLOTS) this.problems.push('a transaction without a slot');
    await wait(1 + this.dice.below(this.longestMs));
    for (const partition of partitions) this.writing.delete(partition);
    this.stored.push(...batches);
    return batches[0] ?? { partition: -1, number: 0, bytes: 0 };
  }
}

async function simulate(
  seed: number,
  seconds: number,
  start: (replica: Replica, dice: Dice) => Promise<number>[],
  longestMs?: number,
): Promise<{ readonly replica: Replica; readonly numbers: readonly number[] }> {
  const dice = new Dice(seed);
  const replica = new Replica(dice, longestMs);
  const reading = Promise.all(start(replica, dice));
  for (let ms = 0; ms < seconds * 1_000; ms++) {
    await jest.advanceTimersByTimeAsync(1);
    replica.observe();
  }
  replica.isStopping = true;
  await jest.advanceTimersByTimeAsync(60_000);
  return { replica, numbers: await reading };
}

describe('groups of batches', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([1, 2, 3, 4, 5, 6])(
    'store each batch once and in order, wait for no more than 100 ms beside a free slot, and pass over nobody (seed %i)',
    async (seed) => {
      const { replica, numbers } = await simulate(seed, 20, (all, dice) =>
        PARTITIONS.map((partition) => {
          // Some partitions are behind, some get a record now and then.
          const isBehind = dice.onceIn(2);
          return all.read(partition, () => (isBehind ? dice.of([FULL, LITTLE]) : LITTLE), isBehind ? 0 : 200);
        }),
      );
      expect(replica.problems).toEqual([]);
      for (const partition of PARTITIONS) {
        const of = replica.stored.filter((batch) => batch.partition === partition).map(({ number }) => number);
        expect(of.length).toBeGreaterThan(5);
        expect(of).toEqual(Array.from({ length: numbers[partition] ?? 0 }, (_, number) => number));
      }
      for (const group of replica.groups) {
        expect(new Set(group.map(({ partition }) => partition)).size).toBe(group.length);
        expect(group.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(GROUP_BYTES);
      }
      expect(replica.slots.getValue()).toBe(SLOTS);
    },
  );

  it('have the batches of all partitions that wait, ten times a second', async () => {
    const { replica } = await simulate(7, 10, (all) => PARTITIONS.map((each) => all.read(each, () => LITTLE, 20)), 20);
    const sizes = replica.groups.map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeGreaterThan(3);
    expect(sizes.length).toBeLessThanOrEqual(101);
  });

  it('are divided among the slots when they take long', async () => {
    const read = (all: Replica): Promise<number>[] => PARTITIONS.map((each) => all.read(each, () => LITTLE, 0));
    const { replica } = await simulate(8, 10, read, 300);
    const sizes = replica.groups.map(({ length }) => length);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(PARTITIONS.length / SLOTS + 0.5);
  });

  it('begin at once after a pause', async () => {
    const groups = new BatchGroups<string, string>({
      slots: new Semaphore(1),
      storeTogether: (batches) => Promise.resolve(batches),
    });
    const place = groups.place(
      () => LITTLE,
      () => false,
    );
    for (let n = 0; n < 3; n++) {
      await jest.advanceTimersByTimeAsync(100);
      const began = performance.now();
      const acquired = place.acquire();
      await jest.advanceTimersByTimeAsync(1);
      const [, release] = await acquired;
      expect(await place.store('batch')).toBe('batch');
      expect(performance.now() - began).toBeLessThanOrEqual(1);
      release();
    }
  });

  it('divide partitions that are behind among the free slots', async () => {
    const sizes: number[] = [];
    const groups = new BatchGroups<string, string>({
      slots: new Semaphore(SLOTS),
      storeTogether: async (batches) => {
        sizes.push(batches.length);
        await wait(50);
        return batches;
      },
    });
    const places = PARTITIONS.map(() =>
      groups.place(
        () => ({ bytes: 100_000, isFull: true }),
        () => false,
      ),
    );
    const stored = places.map(async (place) => {
      const [, release] = await place.acquire();
      await place.store('batch');
      release();
    });
    await jest.advanceTimersByTimeAsync(200);
    await Promise.all(stored);
    expect(sizes).toEqual([4, 4]);
  });
});
