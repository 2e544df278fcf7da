import { setTimeout as sleep } from 'node:timers/promises';
import { Operator } from '../../src/operator.js';
import { FeedClient } from '../../src/feed-client.js';
import { CallRecords } from '../../src/records.js';
import { callSides } from '../../src/sides.js';
import { unique } from '../../src/unique.js';
import type { WebClient } from '../../src/web-client.js';

/** How long each kind of request was not answered at most, milliseconds. */
export interface Gaps {
  readonly records: number;
  readonly signIns: number;
  readonly queries: number;
}

/**
 * A front end that repeats each record until it is accepted, a person who signs in, and an operator who queries, all
 * the time. Keeps a ledger of the calls whose records were accepted.
 */
export class SteadyLoad {
  /** Ids of calls of which both records were accepted. */
  readonly accepted: string[] = [];
  private readonly stopped = new AbortController();
  private readonly longest = { records: 0, signIns: 0, queries: 0 };
  private readonly last = { records: Date.now(), signIns: Date.now(), queries: Date.now() };
  private readonly loops: readonly Promise<void>[];

  constructor(
    private readonly web: WebClient,
    private operator: Operator,
  ) {
    this.loops = [this.postCalls(), this.repeat('signIns', 500, this.signIn), this.repeat('queries', 100, this.query)];
  }

  /** Begins another measurement; the gap that is open counts from its own beginning. */
  measure(): void {
    Object.assign(this.longest, { records: 0, signIns: 0, queries: 0 });
  }

  gaps(): Gaps {
    return { ...this.longest };
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.loops);
  }

  private get goesOn(): boolean {
    return !this.stopped.signal.aborted;
  }

  private answered(kind: keyof Gaps): void {
    const now = Date.now();
    this.longest[kind] = Math.max(this.longest[kind], now - this.last[kind]);
    this.last[kind] = now;
  }

  private async postCalls(): Promise<void> {
    const frontEnd = unique('fe-');
    const feed = new FeedClient();
    while (this.goesOn) {
      const callId = unique('cluster-');
      const { names } = feed.system;
      const records = new CallRecords({ names, callId, frontEnd, ...callSides(callId), startsAt: Date.now() - 2_000 });
      const isAccepted = (await this.post(feed, records.start())) && (await this.post(feed, records.ended(1)));
      if (isAccepted) this.accepted.push(callId);
      await sleep(50);
    }
    feed.close();
  }

  /** Repeats a record until it is accepted; false when the load is stopped before. */
  private async post(feed: FeedClient, record: string): Promise<boolean> {
    while (this.goesOn) {
      // A refused connection and a 503 are both answers that a front end meets while a collector is away.
      const status = await feed.send({ body: record }).then(
        (answer) => answer.status,
        () => undefined,
      );
      if (status === 200) {
        this.answered('records');
        return true;
      }
      await sleep(200);
    }
    return false;
  }

  private readonly signIn = async (): Promise<void> => {
    this.operator = await Operator.signIn(this.web);
  };

  private readonly query = async (): Promise<void> => {
    const { status } = await this.web.send({ url: '/api/calls?limit=1', token: this.operator.token });
    if (status !== 200) throw new Error(`the query was answered with ${status}`);
  };

  private async repeat(kind: 'signIns' | 'queries', pauseMs: number, request: () => Promise<void>): Promise<void> {
    while (this.goesOn) {
      // A failure is counted by the gap that it leaves.
      await request().then(
        () => this.answered(kind),
        () => undefined,
      );
      await sleep(pauseMs);
    }
  }
}
