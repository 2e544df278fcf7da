import { SettingsError, type SettingValues } from '@ringdown/settings';
import { certificateIn, readKeyPair, readPemFile, type KeyPair } from './pem-file.js';
import type { senderSettings } from './settings.js';
import type { CollectorClientOptions } from './collector-client.js';
import type { CollectorTls } from './collector-tls.js';

type AccessSettings = SettingValues<typeof senderSettings>;

/** The options of the connection to a collector. Throws `SettingsError` if a file is missing or wrong. */
export function collectorAccess(
  settings: AccessSettings,
  tls: CollectorClientOptions['tls'] = { current: collectorTls(settings) },
): CollectorClientOptions {
  return { timeoutMs: settings.requestTimeoutSeconds * 1_000, continueWaitMs: settings.continueWaitMs, tls };
}

/** The contents of the files that the settings name. Throws `SettingsError` if one is missing or wrong. */
export function collectorTls(settings: AccessSettings): CollectorTls {
  const { submitCaFile } = settings;
  return { ...ownPair(settings), ...(submitCaFile === undefined ? {} : { ca: authorities(submitCaFile) }) };
}

function ownPair({ submitClientCertificate, submitClientKey }: AccessSettings): KeyPair | undefined {
  if (submitClientCertificate === undefined && submitClientKey === undefined) return undefined;
  if (submitClientCertificate === undefined || submitClientKey === undefined) {
    throw new SettingsError(['SUBMIT_CLIENT_CERT and SUBMIT_CLIENT_KEY must be set together']);
  }
  const cert = { setting: 'SUBMIT_CLIENT_CERT', file: submitClientCertificate };
  return readKeyPair(cert, { setting: 'SUBMIT_CLIENT_KEY', file: submitClientKey }, { mustBeValid: true });
}

function authorities(file: string): string {
  const named = { setting: 'SUBMIT_CA_FILE', file };
  const ca = readPemFile(named);
  certificateIn(named, ca);
  return ca;
}
