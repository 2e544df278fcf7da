import { setting } from '@ringdown/settings';

export const sipFailureSettings = {
  sipFailureDays: setting.integer('SIP_FAILURE_DAYS', {
    task: 'retention',
    default: 7,
    min: 1,
    max: 365,
    about: 'How long failed SIP requests outside of calls are kept that senders have reported, days',
  }),
};
