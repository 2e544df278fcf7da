import { callKey } from '../calls/call-keys.js';
import type { CallsInProgress } from '../store/calls/call-queries.js';
import type { LivePosition } from './live-position.js';

/** The calls in progress, read once for all readers that need them. */
export interface Snapshot {
  /** By call key: a change may still be on its way when it is already in the database. */
  readonly versions: ReadonlyMap<string, number>;
  readonly inProgress: CallsInProgress;
  /** The snapshot contains all changes up to this position; undefined when that is not known. */
  readonly position: LivePosition | undefined;
}

/** `position`: how far changes had been published before the calls were read. */
export function liveSnapshot(inProgress: CallsInProgress, position: LivePosition | undefined): Snapshot {
  return {
    position,
    versions: new Map(inProgress.calls.map(({ callId, version }) => [callKey(callId), version])),
    inProgress,
  };
}
