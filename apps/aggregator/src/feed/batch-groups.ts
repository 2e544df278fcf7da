import type { Semaphore } from '@ringdown/concurrency';
import type { BatchTurns } from '@ringdown/feed-bus';
import { BatchGroup } from './batch-group.js';

/** What a partition has in hand while it waits. */
export interface InHand {
  readonly bytes: number;
  /** As much as one batch may have: it is behind. */
  readonly isFull: boolean;
}

export interface BatchGroupsOptions<B, R> {
  /** Transactions at the same time: of groups, and of batches alone. */
  readonly slots: Semaphore;
  /** Stores the batches of a group; undefined for those that have to be stored alone. */
  storeTogether(this: void, batches: readonly B[]): Promise<readonly (R | undefined)[]>;
}

/** Records wait for those of other partitions at most this long, counted from the beginning of the group before. */
const BETWEEN_GROUPS_MS = 100;
/** A group that takes longer to be stored has many records: then two at a time, one that folds and one that writes, store more. */
const LONG_MS = 50;
/** One group is one transaction: as much as a batch may have alone. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** What a partition may add until its batch is decoded. */
const MEMBER_BYTES = 512 * 1024;

/**
 * Puts the batches of partitions that wait at the same time into groups, which are stored in one transaction each. A
 * partition is in one group at a time. A group begins when a slot is free and one of its partitions is behind, or none has begun
 * for a while: a single record after a pause is stored at once.
 */
export class BatchGroups<B, R> {
  /** The partition that has waited longest comes first. */
  private readonly waiting = new Set<GroupPlace<B, R>>();
  private openedAt = -Infinity;
  /** Milliseconds in which the last group was stored. */
  private lastTook = 0;
  /** Those that wait did so already when the last group began. */
  private isLeftOver = false;
  private isOpening = false;
  private hurry: (() => void) | undefined;

  constructor(private readonly options: BatchGroupsOptions<B, R>) {}

  /** The place of one partition; `isAlone`: whether its next batch has to be in a group of its own. */
  place(inHand: () => InHand, isAlone: () => boolean): GroupPlace<B, R> {
    return new GroupPlace(inHand, isAlone, this.options.slots, (place) => this.enqueue(place));
  }

  private enqueue(place: GroupPlace<B, R>): void {
    this.waiting.add(place);
    if (place.inHand().isFull) this.hurry?.();
    if (!this.isOpening) void this.openGroups();
  }

  private async openGroups(): Promise<void> {
    this.isOpening = true;
    while (this.waiting.size > 0) {
      await this.untilDue();
      const [, release] = await this.options.slots.acquire();
      // Partitions that were given messages at the same time are there in the same turn.
      await new Promise((resolve) => void setImmediate(resolve));
      this.open(release);
    }
    this.isOpening = false;
  }

  private async untilDue(): Promise<void> {
    const ms = this.openedAt + BETWEEN_GROUPS_MS - performance.now();
    if (ms <= 0 || this.isLeftOver || this.isBehind()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.hurry = undefined;
  }

  private open(release: () => void): void {
    this.openedAt = performance.now();
    const members = this.nextMembers();
    const storeTogether = (batches: readonly B[]): Promise<readonly (R | undefined)[]> => this.stored(batches);
    const group = new BatchGroup<B, R>({ size: members.length, storeTogether, onEnd: release });
    const used = members.reduce((sum, place) => sum + roomFor(place), 0);
    const spare = Math.max(0, GROUP_BYTES - used) / members.length;
    for (const place of members) {
      this.waiting.delete(place);
      place.enter(group, roomFor(place) + spare);
    }
    this.isLeftOver = this.waiting.size > 0;
  }

  private async stored(batches: readonly B[]): Promise<readonly (R | undefined)[]> {
    const began = performance.now();
    try {
      return await this.options.storeTogether(batches);
    } finally {
      this.lastTook = performance.now() - began;
    }
  }

  /** Those that have waited longest, as far as they fit; under load, they are divided among the free slots. */
  private nextMembers(): readonly GroupPlace<B, R>[] {
    const free = this.options.slots.getValue() + 1;
    const isDivided = this.lastTook > LONG_MS || this.isBehind();
    const most = isDivided ? Math.ceil(this.waiting.size / free) : this.waiting.size;
    const members: GroupPlace<B, R>[] = [];
    let bytes = 0;
    for (const place of this.waiting) {
      const isFirst = members.length === 0;
      if (isFirst && place.isAlone()) return [place];
      if (!isFirst && (place.isAlone() || bytes + roomFor(place) > GROUP_BYTES)) continue;
      if (members.length === most) break;
      members.push(place);
      bytes += roomFor(place);
    }
    return members;
  }

  private isBehind(): boolean {
    return [...this.waiting].some((place) => place.inHand().isFull);
  }
}

function roomFor<B, R>(place: GroupPlace<B, R>): number {
  return Math.max(MEMBER_BYTES, place.inHand().bytes);
}

/** One partition: waits for its group, and hands in its batch there or stores it alone. */
export class GroupPlace<B, R> implements BatchTurns {
  private group: BatchGroup<B, R> | undefined;
  private share = Infinity;
  private entered: PromiseWithResolvers<void> | undefined;

  constructor(
    readonly inHand: () => InHand,
    readonly isAlone: () => boolean,
    private readonly slots: Semaphore,
    private readonly enqueue: (place: GroupPlace<B, R>) => void,
  ) {}

  get mostBytes(): number {
    return this.share;
  }

  async acquire(): Promise<readonly [unknown, () => void]> {
    this.entered = Promise.withResolvers();
    this.enqueue(this);
    await this.entered.promise;
    return [
      undefined,
      () => {
        this.leave();
        this.share = Infinity;
      },
    ];
  }

  enter(group: BatchGroup<B, R>, share: number): void {
    [this.group, this.share] = [group, share];
    this.entered?.resolve();
  }

  /** Stores the batch with the others of its group. Resolves with undefined when it has to be stored {@link alone}. */
  async store(batch: B): Promise<R | undefined> {
    const { group } = this;
    this.group = undefined;
    return group?.store(batch);
  }

  /** In the slot of its group if that has no others, which do not wait for it otherwise. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const { group } = this;
    if (group?.isOfOne === true) {
      this.group = undefined;
      return group.run(work);
    }
    this.leave();
    return this.slots.runExclusive(work);
  }

  private leave(): void {
    this.group?.leave();
    this.group = undefined;
  }
}
