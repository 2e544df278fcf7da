import type { CallCause, CallState } from './call.js';
import type { EndReason } from './catalogue.js';
import type { Integer, NextCursor, OptionalTime, Text, Time, Verdict } from './values.js';

export type EventKind =
  | 'invite'
  | 'lrsInvite'
  | 'startOrUpdate'
  | 'start'
  | 'update'
  | 'ended'
  | 'bye'
  | 'error'
  | 'qualityUpdate'
  | 'inCallQuality';

/**
 * IP address of the sender; behind a balancer that sends PROXY lines, the one in the line. Null for records of
 * collectors before 1.0.
 * @examples ["192.0.2.40"]
 */
export type RecordAddress = string | null;

/**
 * Subject of the certificate that the sender presented (`COLLECTOR_CLIENT_CA`). Null without one.
 * @examples ["CN=fe1.example.test,O=Example"]
 */
export type RecordCertificate = string | null;

export interface StoredRecord {
  /** @format uuid */
  readonly id: string;
  /** Of the schema */
  readonly version: string | null;
  readonly kinds: readonly EventKind[];
  /** Number of the SIP request */
  readonly cseq: Integer | null;
  readonly frontEnds: readonly string[];
  /** Clock of the sender */
  readonly sentAt: OptionalTime;
  /** Clock of the collector */
  readonly receivedAt: Time;
  readonly remoteAddress: RecordAddress;
  readonly certificateSubject: RecordCertificate;
  /** SDP of the request */
  readonly rawSdp: string | null;
  /** As received; where users are hidden, rebuilt from the fields that were read */
  readonly xml: string;
}

export interface TimelineItem {
  /** As in `records` of the call */
  readonly recordId: Text;
  /** When it was sent; the clocks of several front ends are aligned */
  readonly at: Time;
  /** The clock of this time: without a time of its own, the time of receipt */
  readonly clock: 'frontEnd' | 'collector';
  /** Clock of the collector */
  readonly receivedAt: Time;
  readonly remoteAddress: RecordAddress;
  readonly certificateSubject: RecordCertificate;
  /** As in `feeds` of the call; null if the sender is not known */
  readonly feed: string | null;
  readonly frontEnds: readonly string[];
  /** Of the schema */
  readonly version: string | null;
  readonly cseq: Integer | null;
  /** It arrived after the call was complete */
  readonly late: boolean;
  /** As they were read; see docs/records.md */
  readonly events: readonly {
    readonly kind: Text;
    readonly [field: string]: unknown;
  }[];
  /** Elements whose text was too long and was cut (docs/records.md, "Limits of texts") */
  readonly cut: readonly Text[];
  readonly after: {
    readonly state: CallState;
    readonly endReason: EndReason;
    readonly verdict: Verdict;
    readonly cause: CallCause | null;
    readonly partial: boolean;
  };
  /** Parts of the call that it changed or extended */
  readonly changed: readonly (
    'state' | 'endReason' | 'verdict' | 'parties' | 'streams' | 'errors' | 'quality' | 'clocks'
  )[];
}

export interface TimelinePage {
  readonly items: readonly TimelineItem[];
  readonly next: NextCursor;
}
