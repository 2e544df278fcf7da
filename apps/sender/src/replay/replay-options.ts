import type { FrontEndFeedOptions, PlayedFindings } from '@ringdown/call-capture';
import type { FileProblem } from '@ringdown/call-capture/files';
import type { FeedsOptions } from '@ringdown/feed-client';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { OutputVersion } from '@ringdown/xml-schemas';
import type { Tracing } from '../run/tracing.js';
import type { FeedSummary } from '@ringdown/feed-client/command';
import type { ReplayProgress } from './replay-progress.js';

export interface ReplayOptions extends FeedsOptions, Pick<FrontEndFeedOptions, 'legHeaders' | 'callIdForm'> {
  readonly files: readonly string[];
  /** 1: original speed; 10: ten times as fast; 0: as fast as possible. */
  readonly speed: number;
  /** Rejects text logs. */
  readonly capturesOnly?: boolean;
  /** Front end and version of the records for captured packets; logged records contain both. */
  readonly frontEnd: string;
  /** Left out: the newest that the collector names. */
  readonly version?: OutputVersion | undefined;
  /** Of users in captured packets. Logged records stay as they were sent. */
  readonly hiding?: IdentityHiding;
  /** Left out: messages of calls are not sent. */
  readonly tracing?: Tracing;
  readonly progress: ReplayProgress;
}

export interface ReplaySummary extends Omit<FeedSummary, keyof PlayedFindings>, PlayedFindings {
  /** Lines that are not log lines, or contain no packet or record; truncated ends of captures. */
  readonly unreadable: number;
  /** The unreadable parts by file, and files that contain nothing to send. */
  readonly problems: readonly FileProblem[];
}
