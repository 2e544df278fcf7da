export { assertStreamComplete, assertStreamWorks } from '../streams/stream-health.js';
export {
  deleteStream,
  parseSnapshotHead,
  messagesIn,
  restoreSnapshot,
  createSnapshot,
  newestMessageAt,
  type SnapshotHead,
} from '../streams/stream-snapshot.js';
export { NoStreamStores, StreamWriter, unlessConflict, type MessageToStore } from '../streams/stream-writer.js';
export { ensureStream, findStream, streamEpoch, type StreamRole } from '../streams/streams.js';
