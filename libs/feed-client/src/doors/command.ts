export { addressArgument } from '../command/address-argument.js';
export { counted } from '../command/counted.js';
export {
  DEFAULT_COLLECTOR,
  decimalNumber,
  FEED_OPTIONS,
  feedOptions,
  HELP_OPTION,
  JSON_OPTION,
  parseArguments,
  parseOptions,
  textOption,
  wholeNumber,
  type FeedOptions,
} from '../command/options.js';
export { pause } from '../command/pause.js';
export { bar, ProgressLine, type ProgressOutput } from '../command/progress-line.js';
export { EXIT_CODES, runProgram, sendAndReport, type Program } from '../command/send-and-report.js';
export { feedSummary, formatSummary, NOTHING_SENT, type FeedSummary } from '../command/summary.js';
