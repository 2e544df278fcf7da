import type { AtLeastOne, Count, Integer, Time } from './values.js';

export interface MessageList {
  readonly items: readonly CallMessage[];
  /** There are more than one response contains */
  readonly isTruncated: boolean;
}

export interface CallMessage {
  /** The same in every response */
  readonly id: string;
  readonly callId: string;
  /** When it was first captured: ISO 8601 in UTC with microseconds */
  readonly at: string;
  readonly source: MessageAddress;
  readonly destination: MessageAddress;
  readonly content: 'sip' | 'rtcp';
  /** The message of SIP */
  readonly text: string | null;
  /** The packet of RTCP in base64 */
  readonly bytes: string | null;
  /** Where it was captured, the earliest first */
  readonly points: readonly CapturePoint[];
}

export interface MessageAddress {
  readonly ip: string;
  /**
   * @minimum 0
   * @maximum 65535
   */
  readonly port: Integer;
}

export interface CapturePoint {
  readonly frontEnd: string;
  /** Name or number of the capture agent, if it has one */
  readonly name: string | null;
  /** By the clock of this point */
  readonly at: string;
}

export interface Captures {
  readonly items: readonly Capture[];
}

export interface Capture {
  readonly id: string;
  /** User name of the operator who sent it */
  readonly uploader: string | null;
  /** `GET /api/calls?frontEnd=` finds its calls */
  readonly frontEnd: string;
  readonly state: 'reading' | 'done' | 'failed';
  readonly receivedAt: Time;
  /** Bytes, as it was sent */
  readonly size: Count;
  /** Bytes of packets, without compression */
  readonly bytesRead: Count;
  /** Packets read */
  readonly packets: Count;
  /** Records sent */
  readonly records: Count;
  /** Null until it is read */
  readonly calls: Count | null;
  /**
   * Of its first calls; empty until it is read
   * @maxItems 50
   */
  readonly callIds: readonly string[];
  /** Calls that the accepted version of the records cannot express */
  readonly unreportedCalls: Count;
  /** Quality reports (RTCP, RFC 6035) that count for no stream, by reason: `unknown call`, `no evidence`, `contradicting evidence`, `unknown medium`, `unknown stream`, `impossible value`, `unreadable` */
  readonly uncountedReports: Readonly<Record<string, AtLeastOne>>;
  /** SIP messages of calls that fit no call, or only in part, by reason: `cut`, `unknown call`, `unknown dialog`, `Call-ID used again` */
  readonly unplacedMessages: Readonly<Record<string, AtLeastOne>>;
  /** RTP packets that count for no call, by reason: `unknown call`, `no evidence`, `contradicting evidence`, `unknown medium`, `after the call`, `single packets`, `too many streams` */
  readonly uncountedRtp: Readonly<Record<string, AtLeastOne>>;
  /** Registrations that were accepted. A capture with requests outside of calls only is `done`, too */
  readonly succeededRegistrations: Count;
  /** REGISTER, OPTIONS, MESSAGE and SUBSCRIBE that failed, also those of kinds that are not listed */
  readonly failedRequestsTotal: Count;
  /**
   * The same by method, status and peer, the most frequent first
   * @maxItems 50
   */
  readonly failedRequests: readonly {
    readonly method: string;
    /** Of the response; `none`: no response within 32 seconds */
    readonly status: string;
    /** IP address of the sender, of OPTIONS of the receiver; or `other` */
    readonly peer: string;
    readonly count: AtLeastOne;
  }[];
  /** What could not be read, by kind */
  readonly unread: readonly {
    readonly code: 'not-a-capture' | 'nothing-to-send' | 'unreadable-packets' | 'unsupported-packets';
    /** Packets; 0: the file as a whole */
    readonly count: Count;
    readonly reason: string;
  }[];
  /** Why it failed; null otherwise */
  readonly code:
    | 'reader-not-started'
    | 'reader-ended'
    | 'too-slow'
    | 'no-collector'
    | 'records-not-accepted'
    | 'interrupted'
    | 'not-a-capture'
    | 'nothing-to-send'
    | 'unreadable-packets'
    | 'unsupported-packets'
    | null;
  /** The same in words */
  readonly reason: string | null;
}
