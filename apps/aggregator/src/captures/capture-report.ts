import type { PlayedFindings } from '@ringdown/call-capture/played-findings';

/** Why a capture could not be read, or its calls not be sent. */
export type CaptureFailure =
  | 'reader-not-started'
  | 'reader-ended'
  | 'too-slow'
  | 'no-collector'
  | 'records-not-accepted'
  | 'interrupted'
  | UnreadCode;

/** What could not be read: the file, it has no calls, damaged packets, kinds of packets that no reader exists for. */
export type UnreadCode = 'not-a-capture' | 'nothing-to-send' | 'unreadable-packets' | 'unsupported-packets';

export interface Unread {
  readonly code: UnreadCode;
  /** Packets; 0: the file as a whole. */
  readonly count: number;
  readonly reason: string;
}

/** What operators see of a capture. */
export interface CaptureReport extends PlayedFindings {
  readonly id: string;
  /** User name of the operator; null in reports of before this was stored. */
  readonly uploader: string | null;
  /** Of its calls (`uploadFeed`). */
  readonly frontEnd: string;
  readonly state: 'reading' | 'done' | 'failed';
  /** When it was received, milliseconds since 1970. */
  readonly receivedAt: number;
  /** Of the file as it was sent. */
  readonly size: number;
  readonly bytesRead: number;
  readonly packets: number;
  readonly records: number;
  /** Null until it is read. */
  readonly calls: number | null;
  /** Of the first calls (MAX_CALL_IDS). */
  readonly callIds: readonly string[];
  readonly unread: readonly Unread[];
  /** Null unless it failed. */
  readonly code: CaptureFailure | null;
  readonly reason: string | null;
}

/** A report that is larger would not fit into a message of the bus together with what could not be read. */
export const MAX_CALL_IDS = 50;
