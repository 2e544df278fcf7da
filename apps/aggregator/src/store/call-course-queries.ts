import { callKey } from '../calls/call-keys.js';
import { courseOf, type CoursePage } from '../calls/call-course.js';
import type { CallRules } from '../calls/derive-call.js';
import type { Database } from './database.js';
import { knownCalls } from './known-calls.js';

/** What happened in one call. */
export class CallCourseQueries {
  constructor(
    private readonly database: Database,
    private readonly rules: CallRules,
  ) {}

  /** `no-call` where there is none, `no-record` where none of its records has the digest `after`. */
  async page(callId: string, limit: number, after?: string): Promise<CoursePage | 'no-call' | 'no-record'> {
    const key = callKey(callId);
    // PostgreSQL has no such character in its texts, XML neither.
    if (key.includes('\0')) return 'no-call';
    const known = (await this.database.read((transaction) => knownCalls(transaction, [key]))).get(key);
    if (known === undefined) return 'no-call';
    const { records, history } = known;
    return (await courseOf({ records, rules: this.rules, history, limit, after })) ?? 'no-record';
  }
}
