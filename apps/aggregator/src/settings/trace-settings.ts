import { setting } from '@ringdown/settings';

export const traceRetentionSettings = {
  traceDays: setting.integer('TRACE_DAYS', {
    task: 'retention',
    default: 7,
    min: 1,
    max: 3_650,
    about:
      'How long messages of calls are kept that senders with TRACE=on have captured, days (docs/guides/tracing.md)',
  }),
  traceMaxBytes: setting.integer('TRACE_MAX_BYTES', {
    task: 'retention',
    default: 2_147_483_648,
    min: 16_777_216,
    max: Number.MAX_SAFE_INTEGER,
    about: 'Maximum size of these messages in the database, bytes; the oldest are deleted first, an eighth at a time',
  }),
};
