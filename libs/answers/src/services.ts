import type { Amount, Count, Integer, Text, Time } from './values.js';

export interface RunningService {
  readonly service: 'aggregator' | 'application-people' | 'collector' | 'discovery-auth' | 'subscribers';
  /** Generated at each start */
  readonly replica: Text;
  /** Name of the machine or container */
  readonly host: Text;
  readonly version: Text;
  /** When it was started */
  readonly since: Time;
  /** When it sent this report; both by its own clock */
  readonly lastSeen: Time;
  /** How far its clock is ahead of that of the bus; negative if behind */
  readonly clockAheadSeconds: number;
  /**
   * Since its start. Collector: `accepted` (records stored), `rejected` (bodies rejected), `unavailable`
   * (records answered with 503), `connectionsDropped`, `frontEndsNotAllowed` and `frontEndsOverLimit` (records
   * rejected by `COLLECTOR_SENDERS` and `COLLECTOR_MAX_FRONT_ENDS`), and the current `frontEnds`. Aggregator:
   * `folded`, `duplicates`, `setAside`, and the current `liveReaders`. Subscribers: `delivered`, `dropped`,
   * `retried`, and the current `waiting` and `failing`.
   */
  readonly counts: Readonly<Record<string, number>>;
  /** Partitions of the feed that it reads; empty for services that read none */
  readonly partitions: readonly Count[];
}

export interface RunningServices {
  readonly items: readonly RunningService[];
  /** Null while the database does not answer */
  readonly partitions: readonly FeedPartition[] | null;
  readonly losses: BusLosses | null;
  readonly clocks: ClockDifferences | null;
  /** Where front ends send their records (`FEED_ADDRESS`); null without */
  readonly feedAddress: string | null;
}

/** Known losses of accepted records by the bus */
export interface BusLosses {
  /**
   * Records that running collectors have accepted and that were never read, although no message waits on the
   * bus: at least this number; null before they were counted
   */
  readonly missingRecords: Count | null;
  /** Messages of a day that the bus deleted before they were read, because of its size limit */
  readonly droppedMessages: Count;
  /** Times within a day that the bus restarted without its newest messages */
  readonly busShortened: Count;
  /** When this was noticed last */
  readonly busShortenedAt: Time | null;
}

/** Compared with the clock of the database, by which calls expire */
export interface ClockDifferences {
  /** The clock of the answering aggregator */
  readonly aggregatorAheadSeconds: number;
  readonly busAheadSeconds: number;
}

export interface FeedPartition {
  readonly partition: Count;
  /**
   * Number of the subject on the bus that it reads
   * @minimum 0
   * @maximum 7
   */
  readonly subject: Integer;
  /** Id of the aggregator that reads it; null if none reports it */
  readonly replica: string | null;
  /** Messages on the bus that this partition has not read yet; each contains one or more records. With more than 8 partitions, partitions of the same subject count the same messages */
  readonly waitingMessages: Count;
  /** How long the oldest of them has been waiting */
  readonly lagSeconds: Amount;
}
