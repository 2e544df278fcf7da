import { alertReceiverSettings } from './alert-receiver-settings.js';
import { alertSettings } from './alert-settings.js';
import { traceSettings } from '@ringdown/feed-client/settings';
import { PARTITION_COUNTS } from '@ringdown/contracts/records';
import { deadLetterSettings, streamSettings } from '@ringdown/feed-bus/streams';
import { publicOriginSettings } from '@ringdown/web-server';
import { identitySettings } from '@ringdown/identity-hiding';
import { setting, type SettingValues } from '@ringdown/settings';
import { processingSettings } from '@ringdown/time-limit';
import { profileSettings } from '@ringdown/vendor-profile';
import { userLimitSettings } from './user-limit-settings.js';
import { captureSettings } from './capture-settings.js';
import { callSettings } from './call-settings.js';
import { sipFailureSettings } from './sip-failure-settings.js';
import { traceRetentionSettings } from './trace-settings.js';
import { databaseUrlSettings } from '../database-servers.js';

export const aggregatorSettings = {
  ...databaseUrlSettings,
  databasePoolSize: setting.integer('DATABASE_POOL_SIZE', {
    task: 'database',
    default: 4,
    min: 1,
    max: 100,
    about: 'Connections to the database; each partition of the feed that is read at the same time uses one',
  }),
  feedPartitions: setting.choice('FEED_PARTITIONS', PARTITION_COUNTS, {
    task: 'bus',
    default: '8',
    about:
      'Into how many partitions the feed is divided, and so how many aggregators can share it; it can be raised at any time, never lowered',
  }),
  historyDays: setting.integer('HISTORY_DAYS', {
    task: 'retention',
    default: 90,
    min: 1,
    max: 36_500,
    about:
      'How long calls and their records are kept, days since they were first stored; they are deleted by whole weeks',
  }),
  searchByName: setting.choice('SEARCH_BY_NAME', ['reveal', 'operator'], {
    task: 'privacy',
    default: 'reveal',
    about:
      'Role that may search calls by hidden names: with `operator`, all operators can find out by trying who is behind a token, 30 times a minute; each search is logged',
  }),
  feedAddress: setting.optional(
    setting.url('FEED_ADDRESS', ['http', 'https'], {
      task: 'addresses',
      about:
        'The collector as front ends reach it, for the start page of the console; the default of `npm start` is its own',
    }),
  ),
  ...callSettings,
  ...captureSettings,
  ...alertSettings,
  ...alertReceiverSettings,
  ...traceSettings,
  ...traceRetentionSettings,
  ...sipFailureSettings,
  ...processingSettings,
  ...userLimitSettings,
  ...streamSettings,
  ...deadLetterSettings,
  ...identitySettings,
  ...publicOriginSettings,
  ...profileSettings,
};

export type Settings = SettingValues<typeof aggregatorSettings>;
/** Injects {@link Settings}. */
export const SETTINGS = Symbol('settings of the aggregator');
