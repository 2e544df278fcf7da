import { SettingsError, type SettingValues } from '@ringdown/settings';
import { createSecureContext } from 'node:tls';
import { readPemFile } from '../pem-file.js';
import type { senderSettings } from '../settings.js';
import type { CollectorClientOptions } from './collector-client.js';
import type { CollectorTls } from './collector-socket.js';

/** How a sender speaks to its collector, whatever it sends. Throws `SettingsError` where files are missing or wrong. */
export function collectorAccess(settings: SettingValues<typeof senderSettings>): CollectorClientOptions {
  const { submitCaFile: ca, submitClientCertificate: cert, submitClientKey: key } = settings;
  const { requestTimeoutSeconds, continueWaitMs } = settings;
  const access = { timeoutMs: requestTimeoutSeconds * 1_000, continueWaitMs };
  if ((cert === undefined) !== (key === undefined)) {
    throw new SettingsError(['SUBMIT_CLIENT_CERT and SUBMIT_CLIENT_KEY need each other']);
  }
  if (ca === undefined && cert === undefined) return access;
  const tls: CollectorTls = {
    ...(ca === undefined ? {} : { ca: readPemFile('SUBMIT_CA_FILE', ca) }),
    ...(cert === undefined ? {} : { cert: readPemFile('SUBMIT_CLIENT_CERT', cert) }),
    ...(key === undefined ? {} : { key: readPemFile('SUBMIT_CLIENT_KEY', key) }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    const names = 'SUBMIT_CA_FILE, SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY';
    throw new SettingsError([`${names}: no certificates and key: ${error instanceof Error ? error.message : ''}`]);
  }
  return { ...access, tls };
}
