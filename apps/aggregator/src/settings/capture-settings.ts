import { setting } from '@ringdown/settings';

export const captureSettings = {
  captureMaxBytes: setting.integer('CAPTURE_MAX_BYTES', {
    task: 'captures',
    default: 100 * 1024 * 1024,
    min: 1_024,
    max: 10 * 1024 ** 3,
    about: 'Largest packet capture that `POST /api/captures` accepts, bytes, as it is sent; 413 beyond',
  }),
  capturesAtOnce: setting.integer('CAPTURES_AT_ONCE', {
    task: 'captures',
    default: 1,
    min: 1,
    max: 8,
    about: 'Captures that each replica receives and reads at the same time; further ones get 503',
  }),
  captureSeconds: setting.integer('CAPTURE_SECONDS', {
    task: 'captures',
    default: 600,
    min: 1,
    max: 86_400,
    about: 'Longest time for reading one capture and sending its records, seconds',
  }),
  captureMemoryMb: setting.integer('CAPTURE_MEMORY_MB', {
    task: 'captures',
    default: 512,
    min: 32,
    max: 65_536,
    about: 'Memory (heap) of the process that reads a capture, MB',
  }),
  captureCaFile: setting.optional(
    setting.text('CAPTURE_CA_FILE', {
      task: 'captures',
      about:
        'Authorities (PEM file) that the certificate of CAPTURE_COLLECTOR is checked against; default: SUBMIT_CA_FILE',
    }),
  ),
  capturePinnedCertificate: setting.optional(
    setting.text('CAPTURE_PINNED_CERT', {
      task: 'captures',
      about:
        'Certificate (PEM file) that CAPTURE_COLLECTOR must have: checked in place of its names and its authority; the default of `npm start` is that of its own feed',
    }),
  ),
  captureCollector: setting.url('CAPTURE_COLLECTOR', ['http', 'https'], {
    task: 'captures',
    default: 'http://localhost:8080',
    about: 'The collector that receives the records of uploaded captures; the default of `npm start` is its own',
  }),
};
