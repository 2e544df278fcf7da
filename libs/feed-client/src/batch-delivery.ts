import { readBatchReply } from '@ringdown/xml-schemas';
import type { BatchLimits } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { isRejection, reasonIn, type Delivery } from './delivery.js';
import { NoAnswer, type CollectorAnswer } from './http-answer.js';

/** A record as it is on the wire. */
export interface NumberedRecord {
  readonly sent: string;
  /** Absent on quality records. */
  readonly cseq: number | undefined;
}

/** As many as our collectors read in one post. */
export const RECORDS_AT_ONCE = 64;
/** More in one post saves hardly anything, and a collector reads a post as a whole. */
const MAX_BYTES = 96 * 1_024;
const LINE_END = 1;

/** The first of these records, as many as fit into one post; `number` writes the record with this index. */
export function fillBatch(
  records: readonly DiagnosticsRecord[],
  limits: BatchLimits,
  number: (record: DiagnosticsRecord, index: number) => NumberedRecord,
): readonly NumberedRecord[] {
  const batch: NumberedRecord[] = [];
  let left = Math.min(limits.bytes, MAX_BYTES);
  for (const record of records.slice(0, limits.records)) {
    const numbered = number(record, batch.length);
    left -= Buffer.byteLength(numbered.sent) + LINE_END;
    if (left < 0) break;
    batch.push(numbered);
  }
  return batch;
}

/** The outcome of each record of a batch that was posted and not rejected as a whole. */
export function deliveriesOf(
  batch: readonly NumberedRecord[],
  answer: CollectorAnswer | NoAnswer,
): readonly Delivery[] {
  if (answer instanceof NoAnswer) {
    return batch.map((numbered) => ({ outcome: 'lost', reason: answer.message, ...numbered }));
  }
  const { status } = answer;
  const result = status === 200 ? readBatchReply(answer.body, batch.length) : undefined;
  if (result === undefined) {
    const reason = status === 200 ? 'the answer does not belong to a batch of records' : reasonIn(answer);
    return batch.map((numbered) => ({ outcome: 'failed', status, reason, ...numbered }));
  }
  const rejected = new Map(result.rejected.map((each) => [each.position, each]));
  return batch.map(({ sent, cseq }, position) => {
    const rejection = rejected.get(position);
    if (rejection === undefined) return { outcome: 'answered', cseq, count: result.count, sent };
    const { status: own, code } = rejection;
    const reason = `status ${own}: ${code} ${rejection.reason}`;
    return isRejection(own)
      ? { outcome: 'refused', status: own, reason, sent }
      : { outcome: 'failed', status: own, reason, sent, cseq };
  });
}
