export { assertCaptureFiles } from './captures/capture-files.js';
export { runBackupCommand, runRestoreCommand, type OpenedServers } from './backup/command.js';
export { aggregator } from './service.js';
export { aggregatorSettings } from './settings.js';
export type * from './calls/call.js';
export { runDeadLettersCommand } from './dead-letters/command.js';
export type { CommandIo } from './run-command.js';
export { runMigrateCommand } from './migrate/command.js';
