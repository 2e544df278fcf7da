/** What operators look for when they look for a setting, in the order of the docs. */
export const SETTING_TASKS = {
  addresses: 'Addresses and ports',
  https: 'HTTPS and certificates',
  bus: 'Message bus',
  database: 'Database and files',
  retention: 'How long data is kept',
  frontEnds: 'Front ends',
  input: 'Calls that a sender watches',
  delivery: 'Delivery',
  calls: 'Calls and verdicts',
  captures: 'Uploaded captures',
  alerts: 'Alerts',
  privacy: 'Hiding of users',
  people: 'People and passwords',
  directory: 'Directory server',
  signIn: 'Sign-in',
  messaging: 'Messages and presence',
  limits: 'Limits',
  protocol: 'Names of the protocol',
  operation: 'Logs and health',
} as const;

/** Required of each setting: one that nobody finds is not set. */
export type SettingTask = keyof typeof SETTING_TASKS;
