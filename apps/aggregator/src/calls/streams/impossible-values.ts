import { isPossible } from '@ringdown/call-catalogue/metrics';
import { isQuality } from '@ringdown/xml-schemas/record';
import type { FeedRecord } from '../feed-record.js';

/** How many metrics of the records have a value that cannot be (docs/records.md, "Possible values"). */
export function countImpossibleValues(records: Iterable<FeedRecord>): number {
  let count = 0;
  for (const { record } of records) {
    for (const { metrics } of record.events.filter(isQuality)) {
      for (const [name, { value }] of Object.entries(metrics)) {
        if (typeof value === 'number' && !isPossible(name, value)) count++;
      }
    }
  }
  return count;
}
