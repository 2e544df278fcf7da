import { setting } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';

export const senderSettings = {
  ...profileSettings,
  resumeAfterSeconds: setting.integer('RESUME_AFTER_SECONDS', {
    task: 'delivery',
    default: 50,
    min: 0,
    max: 86_400,
    about: 'Pause after an outage of the collector before a sender tries again, seconds',
  }),
  requestTimeoutSeconds: setting.integer('REQUEST_TIMEOUT_SECONDS', {
    task: 'delivery',
    default: 10,
    min: 1,
    max: 300,
    about: 'Time limit for an answer of the collector, seconds',
  }),
  continueWaitMs: setting.integer('CONTINUE_WAIT_MS', {
    task: 'delivery',
    default: 1_000,
    min: 0,
    max: 10_000,
    about:
      'How long to wait for `100 Continue` before the body is sent (docs/guides/sender.md), milliseconds; 0: not at all',
  }),
  submitCaFile: setting.optional(
    setting.text('SUBMIT_CA_FILE', {
      task: 'delivery',
      about: 'Authorities (PEM file) that the certificate of the collector is checked against',
    }),
  ),
  submitPinnedCertificate: setting.optional(
    setting.text('SUBMIT_PINNED_CERT', {
      task: 'delivery',
      about:
        'Certificate (PEM file) that the collector must have: checked in place of its names and its authority. Several: one of them',
    }),
  ),
  submitClientCertificate: setting.optional(
    setting.text('SUBMIT_CLIENT_CERT', { task: 'delivery', about: 'Client certificate (PEM file) of a sender' }),
  ),
  submitClientKey: setting.optional(
    setting.text('SUBMIT_CLIENT_KEY', { task: 'delivery', about: 'Key (PEM file) that belongs to SUBMIT_CLIENT_CERT' }),
  ),
};
