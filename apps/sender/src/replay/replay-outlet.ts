import { FeedConnection, RECORDS_AT_ONCE, type FeedsOptions } from '@ringdown/feed-client';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';

/** Sends the records of a replay, each front end's on its own connection, in the order of the files. */
export class ReplayOutlet {
  private readonly sentCalls = new Set<string>();
  private records: DiagnosticsRecord[] = [];

  /** Of the records that follow. */
  private frontEnd: string;

  /** Connections of more front ends are added to `connections`. `onSent`: receives numbers of records. */
  constructor(
    private readonly options: FeedsOptions & { readonly frontEnd: string },
    private readonly connections: Map<string, FeedConnection>,
    private readonly onSent: (records: number) => void,
  ) {
    this.frontEnd = options.frontEnd;
  }

  /** Number of calls with records that were sent. */
  get calls(): number {
    return this.sentCalls.size;
  }

  /** Number of records that wait. */
  get pending(): number {
    return this.records.length;
  }

  add(record: DiagnosticsRecord): void {
    this.records.push(record);
  }

  /** Of the records that follow. */
  async setFrontEnd(frontEnd: string): Promise<void> {
    if (frontEnd !== this.frontEnd) await this.send();
    this.frontEnd = frontEnd;
  }

  /** Sends all that waits. */
  async send(): Promise<void> {
    const { records, options } = this;
    this.records = [];
    for (let next = 0; next < records.length && !options.signal.aborted;) {
      const some = records.slice(next, next + RECORDS_AT_ONCE);
      const deliveries = await this.connection.sendBatch(some);
      for (const { connection } of some.slice(0, deliveries.length)) this.sentCalls.add(connection.callId);
      next += deliveries.length;
    }
    this.onSent(records.length);
  }

  private get connection(): FeedConnection {
    const { frontEnd, connections, options } = this;
    const known = connections.get(frontEnd) ?? new FeedConnection({ ...options, frontEnd });
    connections.set(frontEnd, known);
    return known;
  }
}
