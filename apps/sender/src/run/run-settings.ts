import { innerServerSettings, logSettings } from '@ringdown/observability';
import { setting } from '@ringdown/settings';
import type { OutputVersion } from '@ringdown/xml-schemas';
import { hostname } from 'node:os';
import { senderSettings, traceSettings } from '@ringdown/feed-client/settings';
import type { CallIdForm } from '@ringdown/call-capture';
import { legHeadersSetting } from './leg-header-setting.js';

/** A sender may run on the machine of the system that it sends to, so its port differs. */
export const senderInnerSettings = {
  ...innerServerSettings,
  innerPort: { ...innerServerSettings.innerPort, fallback: 8791 },
};

/** Settings of `ringdown-sender run`. Names of known senders have the same meaning as there (diagnostics-feed.md, 4). */
export const runSettings = {
  ...senderSettings,
  ...traceSettings,
  ...logSettings,
  ...senderInnerSettings,
  submitUri: setting.url('SUBMIT_URI', ['http', 'https'], {
    task: 'delivery',
    default: 'http://localhost:8080',
    about: 'The collector that receives the records',
  }),
  alternativeUri: setting.optional(
    setting.url('ALTERNATIVE_URI', ['http', 'https'], {
      task: 'delivery',
      about: 'The collector that is used while SUBMIT_URI fails',
    }),
  ),
  maxRetry: setting.integer('MAX_RETRY', {
    task: 'delivery',
    default: 0,
    min: 0,
    max: 1_000_000,
    about: 'How often a record that the collector did not accept is sent again; 0: it is lost',
  }),
  maxDelayLimit: setting.integer('MAX_DELAY_LIMIT', {
    task: 'delivery',
    default: 5,
    min: 0,
    max: 1_000,
    about: 'With MAX_RETRY: failures in a row after which each further failure adds a second of pause',
  }),
  maxBackoffSeconds: setting.integer('MAX_BACKOFF', {
    task: 'delivery',
    default: 30,
    min: 1,
    max: 3_600,
    about: 'Longest pause between attempts, seconds',
  }),
  maxRetryBeforeFailover: setting.integer('MAX_RETRY_BEFORE_FAILOVER', {
    task: 'delivery',
    default: 10,
    min: 1,
    max: 1_000,
    about: 'Failures in a row after which the sender changes between SUBMIT_URI and ALTERNATIVE_URI',
  }),
  frontEnd: {
    ...setting.text('FRONT_END', { task: 'input', default: hostname(), about: 'Name of the front end in its records' }),
    shownDefault: 'name of the machine',
  },
  outputSchema: setting.optional(
    setting.choice<OutputVersion>('OUTPUT_SCHEMA', ['1.0', 'C', 'D'], {
      task: 'delivery',
      about: 'Version of the records. Default: D or C if the collector accepts it, else 1.0',
    }),
  ),
  callIdForm: setting.choice<CallIdForm>('CALL_ID_FORM', ['sip', 'hash'], {
    task: 'input',
    default: 'sip',
    about: 'CallId of records: the Call-ID of SIP, or its hash of 32 hexadecimal digits (docs/guides/sender.md)',
  }),
  submitQueueLength: setting.integer('SUBMIT_QUEUE_LEN', {
    task: 'delivery',
    default: 1_000,
    min: 1,
    max: 1_000_000,
    about: 'Maximum number of records that wait for a slow collector; further ones are dropped',
  }),
  hepHost: setting.host('HEP_HOST', { task: 'input', default: '0.0.0.0', about: 'Address to listen on for HEP' }),
  hepPort: setting.port('HEP_PORT', { task: 'input', default: 9_060, about: 'Port of HEP over UDP and TCP' }),
  hepTlsPort: setting.optional(
    setting.port('HEP_TLS_PORT', { task: 'delivery', about: 'Port of HEP over TLS. Default: none' }),
  ),
  hepTlsCert: setting.optional(
    setting.text('HEP_TLS_CERT', { task: 'delivery', about: 'Certificate file (PEM) for HEP over TLS' }),
  ),
  hepTlsKey: setting.optional(
    setting.text('HEP_TLS_KEY', { task: 'delivery', about: 'Key file (PEM) that belongs to HEP_TLS_CERT' }),
  ),
  hepPassword: setting.optional(
    setting.text('HEP_PASSWORD', {
      task: 'input',
      about: 'Password that capture agents must send with each packet; HEP before version 3 is then rejected',
      secret: true,
    }),
  ),
  hidePii: setting.choice('HIDE_PII', ['on', 'off'], {
    task: 'privacy',
    default: 'off',
    about: 'Whether users are hidden behind tokens made with OBFUSCATION_SEED',
  }),
  obfuscationSeed: setting.optional(
    setting.text('OBFUSCATION_SEED', { task: 'privacy', about: 'Secret text of at least 16 characters', secret: true }),
  ),
  inviteTimeoutSeconds: setting.integer('SENDER_INVITE_TIMEOUT_SECONDS', {
    task: 'input',
    default: 180,
    min: 1,
    max: 86_400,
    about: 'An invitation without further messages is forgotten after this time, seconds',
  }),
  callTimeoutSeconds: setting.integer('SENDER_CALL_TIMEOUT_SECONDS', {
    task: 'input',
    default: 86_400,
    min: 1,
    max: 31_536_000,
    about: 'A call without further messages is forgotten after this time, seconds',
  }),
  qualityWaitSeconds: setting.integer('SENDER_QOE_TIMEOUT_SECONDS', {
    task: 'input',
    default: 5,
    min: 0,
    max: 30,
    about: 'Time that the end of a call waits for quality reports, seconds',
  }),
  inCallQualitySeconds: setting.integer('SENDER_IN_CALL_QUALITY_SECONDS', {
    task: 'input',
    default: 30,
    min: 0,
    max: 3_600,
    about: 'How often the quality of a call is reported during the call (C, D), seconds; 0: not at all',
  }),
  maxCalls: setting.integer('MAX_CACHE_SIZE', {
    task: 'delivery',
    default: 20_000,
    min: 1,
    max: 1_000_000,
    about: 'Calls that are followed at the same time; beyond that the oldest is forgotten',
  }),
  legHeaders: legHeadersSetting,
  failureLogSeconds: setting.integer('FAILURE_LOG_SECONDS', {
    task: 'operation',
    default: 300,
    min: 0,
    max: 86_400,
    about: 'How often failed requests outside of calls are logged, seconds; 0: never',
  }),
  failureReportSeconds: setting.integer('FAILURE_REPORT_SECONDS', {
    task: 'delivery',
    default: 10,
    min: 0,
    max: 3_600,
    about:
      'How often failed requests outside of calls are reported to a collector that announces that it reads such reports, seconds; 0: never',
  }),
  logFolder: setting.optional(
    setting.text('LOG_FOLDER', {
      task: 'operation',
      about: 'Folder for text logs of all input and output. Default: no logs',
    }),
  ),
  logKeepDays: setting.optional(
    setting.integer('LOG_KEEP_DAYS', {
      task: 'operation',
      min: 1,
      max: 36_500,
      about: 'Text logs older than this many days are deleted; left out: none are',
    }),
  ),
};
