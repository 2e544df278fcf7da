import { setting } from '@ringdown/settings';
import { readRuleItems } from './alert-rule-items.js';

/** More than anyone reads; each of them is measured again and again. */
export const MOST_RULES = 100;

const alertRules = {
  ...setting.text('ALERT_RULES', {
    task: 'alerts',
    about:
      'Alert rules that cannot be changed over HTTP (docs/guides/alerts.md); a change takes effect without a restart. Default: none',
  }),
  allowed: 'a JSON file',
  parse: (file: string): string => {
    // A file that cannot be read is reported before anything starts; its rules are checked where sites and receivers are known.
    readRuleItems(file);
    return file;
  },
};

export const alertSettings = {
  alertSeconds: setting.integer('ALERT_SECONDS', {
    task: 'alerts',
    default: 30,
    min: 1,
    max: 3_600,
    about: 'Interval between evaluations of the alert rules, seconds (docs/guides/alerts.md)',
  }),
  alertRulesFile: setting.optional(alertRules),
};
