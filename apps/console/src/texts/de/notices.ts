import type { en } from '../en/notices.js';
import { pluralFormatter } from '../plurals.js';

const plural = pluralFormatter('de');

export const de: typeof en = {
  firing: 'Ausgelöste Alarme',
  actions: 'Was mit dem Alarm zu tun ist',
  viewCalls: 'Anrufe anzeigen',
  allAlerts: 'Alle Alarme',
  moreAlerts: (count) => plural(count, { one: 'und # weiterer Alarm', other: 'und # weitere Alarme' }),
  allow: 'Browser-Benachrichtigungen aktivieren',
  dismiss: 'Ausblenden',
  open: 'Öffnen',
};
