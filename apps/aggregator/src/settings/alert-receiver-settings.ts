import { setting, type Setting } from '@ringdown/settings';
import { loadReceivers } from '../alert-receivers/load-receivers.js';
import type { AlertReceiver } from '../alert-receivers/receivers.js';

const alertReceivers: Setting<readonly AlertReceiver[]> = {
  ...setting.text('ALERT_RECEIVERS', { task: 'alerts', about: 'Where alerts are sent (docs/guides/alerts.md)' }),
  allowed: 'a JSON file',
  fallback: [],
  shownDefault: 'none',
  required: false,
  parse: loadReceivers,
};

export const alertReceiverSettings = { alertReceivers };
