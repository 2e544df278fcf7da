export { DurableConsumer, type ReaderPlace } from '../streams/durable-consumer.js';
export { DurableReader, type DurableMessage } from '../streams/durable-reader.js';
export { FoundInStream } from '../streams/found-in-stream.js';
export { isRecognised, messageMark, storageTime, type StreamPosition } from '../streams/position.js';
export {
  consume,
  dropConsumer,
  messagesAhead,
  ReadingLoop,
  type Reading,
  type ReadMessage,
} from '../streams/reading-loop.js';
export { StreamTail, type TailMessage, type TailStart } from '../streams/stream-tail.js';
