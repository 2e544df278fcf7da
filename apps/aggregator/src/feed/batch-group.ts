export interface BatchGroupOptions<B, R> {
  /** How many partitions are in it. */
  readonly size: number;
  /** As in `BatchGroupsOptions`. */
  storeTogether(this: void, batches: readonly B[]): Promise<readonly (R | undefined)[]>;
  /** Called when everything is stored, or has to be stored elsewhere. */
  onEnd(): void;
}

interface HandedIn<B, R> {
  readonly batch: B;
  readonly stored: PromiseWithResolvers<R | undefined>;
}

/** A partition that has decoded nothing by then, for example because the bus does not store what it sets aside, is left out. */
const PATIENCE_MS = 250;

/** Batches of several partitions that are stored in one transaction: when all are there, or some have not come in time. */
export class BatchGroup<B, R> {
  private readonly handedIn: HandedIn<B, R>[] = [];
  private readonly patience: NodeJS.Timeout;
  private missing: number;
  private isClosed = false;

  constructor(private readonly options: BatchGroupOptions<B, R>) {
    this.missing = options.size;
    this.patience = setTimeout(() => void this.close(), PATIENCE_MS);
    if (this.missing === 0) void this.close();
  }

  /** Whether it never had more than one partition, and waits for that. */
  get isOfOne(): boolean {
    return this.options.size === 1 && !this.isClosed;
  }

  /** What the only partition does in place of storing its batch with others. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.isClosed = true;
    clearTimeout(this.patience);
    try {
      return await work();
    } finally {
      this.options.onEnd();
    }
  }

  /** Resolves with undefined when the batch has to be stored alone, rejects when nothing can be stored now. */
  store(batch: B): Promise<R | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    const stored = Promise.withResolvers<R | undefined>();
    this.handedIn.push({ batch, stored });
    this.leave();
    return stored.promise;
  }

  /** Nothing, or nothing more, comes from one of the partitions. */
  leave(): void {
    this.missing--;
    if (this.missing === 0) void this.close();
  }

  private async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.patience);
    const batches = this.handedIn.map(({ batch }) => batch);
    try {
      const results = batches.length === 0 ? [] : await this.options.storeTogether(batches);
      for (const [index, { stored }] of this.handedIn.entries()) stored.resolve(results[index]);
    } catch (error) {
      for (const { stored } of this.handedIn) stored.reject(error);
    } finally {
      this.options.onEnd();
    }
  }
}
