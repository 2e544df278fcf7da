export type { CaptureEntry, ReadProgress, Timed } from '../files/capture-entry.js';
export { FileProblems, formatProblem, type FileProblem } from '../files/file-problems.js';
export { firstCaptureTime, readCapture } from '../files/read-capture.js';
export {
  unpackedFileBytes,
  streamChunks,
  describeInput,
  identifySource,
  requireCapture,
  SourceError,
  type SourceFile,
} from '../files/source-file.js';
