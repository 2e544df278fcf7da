import { frontEndKey } from './call-keys.js';
import type { FeedRecord } from './feed-record.js';

export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Every front end that the records name, the earliest first, each once however it is written. */
export function knownFrontEnds(records: readonly FeedRecord[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of records.flatMap(({ record }) => record.connection.frontEnds)) {
    if (!byKey.has(frontEndKey(name))) byKey.set(frontEndKey(name), name);
  }
  return [...byKey.values()];
}
