import { setting } from '@ringdown/settings';

/** More than anyone reads; each of them is measured again and again. */
export const MOST_RULES = 100;

export const alertSettings = {
  alertSeconds: setting.integer('ALERT_SECONDS', {
    default: 30,
    min: 1,
    max: 3_600,
    about: 'Interval between evaluations of the alert rules, seconds (docs/guides/alerts.md)',
  }),
};
