export * as setting from './setting.js';
export type { Network, Setting, SettingFields, SettingValues } from './setting.js';
export { readSettingGroups, readSettings, SettingsError, type Environment } from './read-settings.js';
export { misspelledSettings } from './misspelled-settings.js';
export { UsageError } from './usage-error.js';
export { settingsTable, type DocumentedSettings } from './settings-table.js';
export { FollowedFiles, type Followed } from './followed-files.js';
export { entriesAt, readJsonFile } from './json-file.js';
