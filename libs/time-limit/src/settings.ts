import { setting } from '@ringdown/settings';

export const processingSettings = {
  processingLimitMs: setting.integer('PROCESSING_LIMIT_MS', {
    task: 'limits',
    default: 1_000,
    min: 50,
    max: 600_000,
    about:
      'Time limit for processing one record, call or message, milliseconds; one that repeatedly takes longer is set aside',
  }),
};
