import { readSettings, setting, type SettingValues } from '@ringdown/settings';

const TRUE_OR_FALSE = ['true', 'false'] as const;

/** The fields of a subscriber. Names and meanings are those of known senders (diagnostics-feed.md, 4.2). */
export const subscriptionFields = {
  name: setting.text('name', {
    task: 'delivery',
    about: 'Name in the log and the metrics: letters, digits and hyphens',
  }),
  via: setting.choice('via', ['http', 'bus'], {
    task: 'delivery',
    default: 'http',
    about: 'Whether it receives HTTP requests or subscribes to a subject of the bus',
  }),
  submituri: setting.optional(
    setting.url('submituri', ['http', 'https'], { task: 'delivery', about: 'Where to post', secret: true }),
  ),
  send: setting.choice('send', ['records', 'calls'], {
    task: 'delivery',
    default: 'records',
    about: 'Records as they arrive, in XML, or calls whenever they change, in JSON',
  }),
  outputschema: setting.choice('outputschema', ['D', 'C', '1.0'], {
    task: 'delivery',
    default: 'D',
    about: 'Newest version of records that the receiver understands; newer ones are converted',
  }),
  schemaextension: setting.choice('schemaextension', TRUE_OR_FALSE, {
    task: 'delivery',
    default: 'true',
    about: 'Whether records of C carry the fields that came later',
  }),
  quality: setting.choice('quality', TRUE_OR_FALSE, {
    task: 'delivery',
    default: 'true',
    about: 'Whether to send reports of quality',
  }),
  signaling: setting.choice('signaling', TRUE_OR_FALSE, {
    task: 'delivery',
    default: 'false',
    about: 'Whether to send invitations, errors and Bye events',
  }),
  sendrawsdp: setting.choice('sendrawsdp', TRUE_OR_FALSE, {
    task: 'delivery',
    default: 'false',
    about: 'Whether to send SDP along',
  }),
  domainfilters: setting.optional(
    setting.list('domainfilters', {
      task: 'delivery',
      about: 'Parts of the domains of users; one of the call must match',
    }),
  ),
  subnetfilters: setting.optional(
    setting.networks('subnetfilters', {
      task: 'delivery',
      about: 'Networks; the media of the call must begin or end in one',
    }),
  ),
  tenantfilters: setting.optional(setting.list('tenantfilters', { task: 'delivery', about: 'Ids of tenants' })),
  trunkfilters: setting.optional(setting.list('trunkfilters', { task: 'delivery', about: 'Names of SIP trunks' })),
  hidepii: setting.choice('hidepii', TRUE_OR_FALSE, {
    task: 'delivery',
    default: 'true',
    about: 'Whether users are hidden',
  }),
  obfuscationseed: setting.optional(
    setting.text('obfuscationseed', {
      task: 'delivery',
      about: 'The subscriber’s own seed for hiding users',
      secret: true,
    }),
  ),
  maxopen: setting.integer('maxopen', {
    task: 'delivery',
    default: 100,
    min: 1,
    max: 1_000,
    about: 'Requests at the same time',
  }),
  submitqueuelen: setting.integer('submitqueuelen', {
    task: 'delivery',
    default: 100_000,
    min: 1,
    max: 10_000_000,
    about: 'Messages of the bus that may wait while the receiver is away; then the oldest are dropped',
  }),
  maxretry: setting.integer('maxretry', {
    task: 'delivery',
    default: 100,
    min: 0,
    max: 1_000_000,
    about: 'How often one record is sent again; then it is dropped',
  }),
  maxdelaylimit: setting.integer('maxdelaylimit', {
    task: 'delivery',
    default: 5,
    min: 0,
    max: 1_000,
    about: 'Failures in a row after which sending slows down, by one more second each',
  }),
  maxbackoff: setting.integer('maxbackoff', {
    task: 'delivery',
    default: 30,
    min: 1,
    max: 3_600,
    about: 'Longest pause between attempts, seconds',
  }),
  requesttimeout: setting.integer('requesttimeout', {
    task: 'delivery',
    default: 10,
    min: 1,
    max: 300,
    about: 'How long one request may take, seconds',
  }),
  cafile: setting.optional(
    setting.text('cafile', {
      task: 'delivery',
      about: 'Certificates (PEM file) of the authorities that sign the receiver’s certificate',
    }),
  ),
  clientcertificate: setting.optional(
    setting.text('clientcertificate', { task: 'delivery', about: 'Client certificate (PEM file)' }),
  ),
  clientkey: setting.optional(
    setting.text('clientkey', { task: 'delivery', about: 'Private key of the client certificate (PEM file)' }),
  ),
};

export type SubscriberSettings = SettingValues<typeof subscriptionFields>;

/** Throws `SettingsError` with all problems, one per line. */
export function readSubscriberSettings(values: Readonly<Record<string, string>>): SubscriberSettings {
  return readSettings(subscriptionFields, values);
}
