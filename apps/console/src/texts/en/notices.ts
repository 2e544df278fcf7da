import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('en');

export const en = {
  firing: 'Firing alerts',
  actions: 'What to do about the alert',
  viewCalls: 'View calls',
  allAlerts: 'All alerts',
  moreAlerts: (count: number) => plural(count, { one: 'and # more alert', other: 'and # more alerts' }),
  allow: 'Enable browser notifications',
  dismiss: 'Dismiss',
  open: 'Open',
};
