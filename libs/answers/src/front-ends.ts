import type { FeedRefusalCode } from './problem.js';
import type { EventKind, RecordCertificate } from './records.js';
import type { Amount, Count, Text, Time } from './values.js';

export interface FrontEnd {
  readonly name: string;
  /** Clock of the collector */
  readonly firstSeen: Time;
  readonly lastSeen: Time;
  /** Different records that named it */
  readonly records: Count;
  /** Copies that were recognised */
  readonly duplicates: Count;
  /** Records that arrived after their call was complete */
  readonly late: Count;
  /** Calls that it reported and that had no end */
  readonly expired: Count;
  /** Number of stored rejected bodies that name it; null while the bus does not answer */
  readonly rejected: Count | null;
  /**
   * Replies of each running collector to this front end, the longest running first; null while the bus does
   * not report which collectors run. A collector that has ended, or does not answer within a second, is
   * missing. A reply counts for the feed of its record.
   */
  readonly answers: readonly CollectorAnswers[] | null;
  readonly callsInProgress: Count;
  /** In the last quarter of an hour, with duplicates */
  readonly recordsPerMinute: Amount;
  /**
   * Usual time between two of its records at this time of day, from the same two hours of the six days before;
   * of a feed that is newer than a day, from all its records so far. Null with fewer than ten records.
   */
  readonly usualIntervalSeconds: Amount | null;
}

export interface FrontEndPage {
  readonly items: readonly FrontEnd[];
  /** Cursor of the next page; null on the last page */
  readonly next: string | null;
}

export interface CollectorAnswers {
  /** Of the collector, as in `/api/services` */
  readonly replica: Text;
  /** Name of its machine or container */
  readonly host: Text;
  /** `Count` of its latest reply; it starts at 1 with the collector */
  readonly count: Count;
  /** Records that it answered with 503: lost, unless they were sent again */
  readonly unavailable: Count;
  /** Time of the first of these replies */
  readonly since: Time;
  /** Time of the latest reply; both by its clock */
  readonly lastAnswer: Time;
}

export interface FrontEndHealth extends FrontEnd {
  /** What its newest calls tell, at most 200 */
  readonly newestCalls: {
    readonly calls: Count;
    /** Add this to the times of its records; the median of these calls, null if none tells */
    readonly clockSkewSeconds: number | null;
    /** How many records of these calls have an event of each kind; the most frequent first */
    readonly kinds: readonly {
      readonly kind: EventKind;
      readonly records: Count;
    }[];
  };
  readonly activity: {
    /** Counted in slots of five minutes */
    readonly from: Time;
    readonly to: Time;
    readonly records: Count;
    readonly duplicates: Count;
    readonly late: Count;
    readonly expired: Count;
    readonly recordsPerMinute: Amount;
    /** Periods without a record; the last 200 */
    readonly gaps: readonly {
      /** The last record before it */
      readonly from: Time;
      /** Null while it lasts */
      readonly to: Time | null;
      /** @minimum 60 */
      readonly seconds: number;
    }[];
  };
}

export interface RejectedRecords {
  readonly items: readonly RejectedRecord[];
}

export interface RejectedRecord {
  readonly receivedAt: Time;
  /** Null for a message on the bus without its origin */
  readonly remoteAddress: string | null;
  readonly certificateSubject: RecordCertificate;
  readonly path: string;
  readonly code: FeedRefusalCode;
  readonly reason: Text;
  /** The start of it. Null where users are hidden, because the position of names in it is not known */
  readonly body: string | null;
}
