export { CaptureError } from './file/capture-error.js';
export { CaptureReader, isCapture } from './file/capture-reader.js';
export type { Frame } from './file/frame.js';
export { HepError, type HepProblem } from './hep/hep-error.js';
export { HepStream } from './hep/hep-stream.js';
export { readHep, type HepOptions } from './hep/read-hep.js';
export type { NotReadKind } from './not-read.js';
export { PacketsInFrames } from './packets-in-frames.js';
export {
  directionKey,
  isKnownAddress,
  isKnownIp,
  type CapturedPacket,
  type PacketContent,
  type TransportAddress,
} from './packet/captured-packet.js';
