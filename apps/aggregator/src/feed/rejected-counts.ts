import { feedOfSender } from '@ringdown/contracts/feed-of';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import type { RejectedRecords } from '@ringdown/feed-bus';
import { frontEndKey } from '../calls/call-keys.js';

/** Listed often, changes slowly, and reading all of them means a thousand requests to the bus. */
const CACHED_MS = 10_000;
const MAX_READ = 1_000;

/** As far as the body could be read, even if the rest of it is wrong. */
const FRONT_ENDS = /<(?:[\w.-]+:)?FrontEnds?>([^<]{1,4096})</g;

/** The names of front ends in a body that was rejected. */
export function frontEndsIn(body: string): readonly string[] {
  return [...body.matchAll(FRONT_ENDS)].flatMap(([, text = '']) => text.split(','));
}

/** The key of the feed that a rejected body belongs to: of the front end that it names, or of its sender. */
export function rejectedFeedKey(rejected: RejectedRecord): string {
  const [named] = frontEndsIn(rejected.body);
  return frontEndKey(named ?? feedOfSender(rejected));
}

/** How many of the stored rejected bodies name each front end. */
export class RejectedCounts {
  private counted: { readonly at: number; readonly counts: Promise<ReadonlyMap<string, number>> } | undefined;

  constructor(
    private readonly rejected: Pick<RejectedRecords, 'latest'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Null while the bus does not reply. */
  async of(frontEnd: string): Promise<number | null> {
    try {
      return (await this.counts()).get(frontEndKey(frontEnd)) ?? 0;
    } catch {
      this.counted = undefined;
      return null;
    }
  }

  private counts(): Promise<ReadonlyMap<string, number>> {
    if (this.counted === undefined || this.now() - this.counted.at > CACHED_MS) {
      this.counted = { at: this.now(), counts: this.count() };
    }
    return this.counted.counts;
  }

  private async count(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { body } of await this.rejected.latest(MAX_READ)) {
      for (const key of new Set(frontEndsIn(body).map(frontEndKey))) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }
}
