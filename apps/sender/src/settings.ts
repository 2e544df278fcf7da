import { setting } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';

export const senderSettings = {
  ...profileSettings,
  resumeAfterSeconds: setting.integer('RESUME_AFTER_SECONDS', {
    default: 50,
    min: 0,
    max: 86_400,
    about: 'How long a sender rests after the collector was not there, seconds',
  }),
};
