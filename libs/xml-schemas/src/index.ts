export type { Element } from './xml/element.js';
export { FEED_SYNTAX_CODES, FeedSyntaxError, type FeedSyntaxCode } from './xml/feed-syntax-error.js';
export { readAcceptedBatch, readBatchReply, splitBatch, writeBatch, writeBatchReply } from './xml/record-batch.js';
export { decodeBody, readElement } from './xml/read-element.js';
export { readFeedMessage } from './xml/read-feed-message.js';
export {
  readAcceptedReports,
  readAcceptedVersions,
  writeConfigurationReply,
  writeConfigurationRequest,
  writeCountReply,
  writeRejection,
} from './xml/write-replies.js';
export { writeRecord } from './xml/write-record.js';
export { convertRecord, type ConversionOptions, type OutputVersion } from './convert/convert-record.js';
export { fitRecord, fitText } from './convert/fit-record.js';
