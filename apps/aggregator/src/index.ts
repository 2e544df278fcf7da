export { assertCaptureFiles } from './captures/capture-files.js';
export { aggregator } from './service.js';
export { aggregatorSettings } from './settings/settings.js';
export type * from './calls/call.js';
export type { CommandIo } from './run-command.js';
