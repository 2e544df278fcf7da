// Shapes of docs/openapi.yaml, as far as the view of the feeds needs them.

export interface FrontEnd {
  readonly name: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly records: number;
  readonly duplicates: number;
  readonly late: number;
  readonly expired: number;
  /** Null while the bus does not tell. */
  readonly rejected: number | null;
  readonly answers: readonly CollectorAnswers[] | null;
  readonly callsInProgress: number;
  readonly recordsPerMinute: number;
}

export interface CollectorAnswers {
  readonly replica: string;
  readonly host: string;
  readonly count: number;
  readonly since: string;
  readonly lastAnswer: string;
}

export interface RunningService {
  readonly service: string;
  readonly replica: string;
  readonly host: string;
  readonly version: string;
  readonly since: string;
  readonly lastSeen: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly partitions: readonly number[];
}

export interface FeedPartition {
  readonly partition: number;
  /** Null while no aggregator says that it reads it. */
  readonly replica: string | null;
  readonly waitingMessages: number;
  readonly lagSeconds: number;
}

export interface RunningServices {
  readonly items: readonly RunningService[];
  /** Null while the database does not answer. */
  readonly partitions: readonly FeedPartition[] | null;
}

export interface RejectedRecord {
  readonly receivedAt: string;
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
  readonly path: string;
  readonly code: string;
  readonly reason: string;
  /** Null where users are hidden. */
  readonly body: string | null;
}
