import { setting } from '@ringdown/settings';

export const processingSettings = {
  processingLimitMs: setting.integer('PROCESSING_LIMIT_MS', {
    default: 1_000,
    min: 50,
    max: 600_000,
    about:
      'How long one record, call or message may be processed, milliseconds; what takes longer again and again is set aside',
  }),
};
