import { callKey } from '../../calls/call-keys.js';
import { callCoursePage, type CourseItem } from '../../calls/life/call-course.js';
import type { CallRules } from '../../calls/derive-call.js';
import type { Database } from '../database/database.js';
import { knownCalls } from './known-calls.js';
import type { RecordSender } from './stored-records.js';

const UNKNOWN_SENDER: RecordSender = { remoteAddress: null, certificateSubject: null };

/** A page of what happened, with the sender of the connection on which each record arrived. */
export interface CourseItemsPage {
  readonly items: readonly (CourseItem & RecordSender)[];
  /** Digests of their records. */
  readonly digests: readonly string[];
  /** Digest of the last record; undefined on the last page. */
  readonly next: string | undefined;
}

/** What happened in one call. */
export class CallCourseQueries {
  constructor(
    private readonly database: Database,
    private readonly rules: CallRules,
    /** The longest time for deriving the call once. */
    private readonly limitMs: number,
  ) {}

  /** `no-call` when the call does not exist, `no-record` when none of its records has the digest `after`. */
  async page(callId: string, limit: number, after?: string): Promise<CourseItemsPage | 'no-call' | 'no-record'> {
    const key = callKey(callId);
    // PostgreSQL does not allow this character in texts, nor does XML.
    if (key.includes('\0')) return 'no-call';
    const known = (await this.database.read((transaction) => knownCalls(transaction, [key]))).get(key);
    if (known === undefined) return 'no-call';
    const { records, history } = known;
    const page = await callCoursePage({ records, rules: this.rules, history, limit, after, limitMs: this.limitMs });
    if (page === undefined) return 'no-record';
    const senders = new Map(
      records.map(({ id, remoteAddress, certificateSubject }) => [id, { remoteAddress, certificateSubject }]),
    );
    const items = page.items.map((item) => ({ ...item, ...(senders.get(item.recordId) ?? UNKNOWN_SENDER) }));
    return { ...page, items };
  }
}
