export {
  BUS_FIXED_BYTES,
  deadLetterSettings,
  ensureCallChangesStream,
  ensureDeadLettersStream,
  ensureFeedStreams,
  offerBundles,
  streamSettings,
} from '../record-streams.js';
export { ensureSipFailuresStream } from '../sip-failure-stream.js';
export { ensureTracesStream } from '../trace-stream.js';
