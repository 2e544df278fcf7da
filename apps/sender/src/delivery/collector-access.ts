import { SettingsError, type SettingValues } from '@ringdown/settings';
import { certificateIn, checkValidity, readKeyPair, readPemFile, type KeyPair } from '../pem-file.js';
import type { senderSettings } from '../settings.js';
import type { CollectorClientOptions } from './collector-client.js';

type AccessSettings = SettingValues<typeof senderSettings>;

/** How a sender speaks to its collector, whatever it sends. Throws `SettingsError` where files are missing or wrong. */
export function collectorAccess(settings: AccessSettings): CollectorClientOptions {
  const { requestTimeoutSeconds, continueWaitMs, submitCaFile } = settings;
  const access = { timeoutMs: requestTimeoutSeconds * 1_000, continueWaitMs };
  const own = ownPair(settings);
  if (submitCaFile === undefined && own === undefined) return access;
  return { ...access, tls: { ...own, ...(submitCaFile === undefined ? {} : { ca: authorities(submitCaFile) }) } };
}

function ownPair({ submitClientCertificate, submitClientKey }: AccessSettings): KeyPair | undefined {
  if (submitClientCertificate === undefined && submitClientKey === undefined) return undefined;
  if (submitClientCertificate === undefined || submitClientKey === undefined) {
    throw new SettingsError(['SUBMIT_CLIENT_CERT and SUBMIT_CLIENT_KEY need each other']);
  }
  const cert = { setting: 'SUBMIT_CLIENT_CERT', file: submitClientCertificate };
  const pair = readKeyPair(cert, { setting: 'SUBMIT_CLIENT_KEY', file: submitClientKey });
  checkValidity(cert, pair.cert);
  return pair;
}

function authorities(file: string): string {
  const named = { setting: 'SUBMIT_CA_FILE', file };
  const ca = readPemFile(named);
  certificateIn(named, ca);
  return ca;
}
