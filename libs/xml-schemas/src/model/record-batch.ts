/** How a batch of records is posted. */
export const RECORD_BATCH = {
  /** The last segment of the path. */
  pathEnd: 'RecordBatch',
  /** Not XML: one XML document for each line. */
  type: 'application/vnd.ringdown.records',
  /** Maximum number of records. The reply names each rejected one, and senders read replies of 64 KB at most. */
  records: 64,
} as const;

/** The largest batch of records that a collector reads. */
export interface BatchLimits {
  readonly records: number;
  /** Of the whole body. */
  readonly bytes: number;
}

/** A record of a batch that was not stored. */
export interface RejectedOfBatch {
  /** In the batch, counted from 0. */
  readonly position: number;
  /** The HTTP status that the record would have got alone. */
  readonly status: number;
  readonly code: string;
  readonly reason: string;
}

/** What became of the records of a batch. */
export interface BatchResult {
  /** `Count` of the reply, as after the last stored one of these records; undefined when none was stored. */
  readonly count: number | undefined;
  readonly stored: number;
  /** In the order of the batch. */
  readonly rejected: readonly RejectedOfBatch[];
}
