import { callKey } from '../calls/call-keys.js';
import type { CallsInProgress } from '../store/call-queries.js';

/** The calls in progress, made ready once for all readers that get them. */
export interface Snapshot {
  /** By call key: a change may still be on its way when the database has it already. */
  readonly versions: ReadonlyMap<string, number>;
  /** JSON. */
  readonly text: string;
}

export function snapshotOf(inProgress: CallsInProgress): Snapshot {
  return {
    versions: new Map(inProgress.calls.map(({ callId, version }) => [callKey(callId), version])),
    text: JSON.stringify(inProgress),
  };
}
