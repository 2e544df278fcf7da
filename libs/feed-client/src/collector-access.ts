import { SettingsError, type SettingValues } from '@ringdown/settings';
import { certificateIn, readKeyPair, readPemFile, type KeyPair, type NamedFile } from './pem-file.js';
import type { senderSettings } from './settings.js';
import type { CollectorClientOptions } from './collector-client.js';
import { certificatesIn, type CollectorTls } from './collector-tls.js';

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
  const { submitCaFile, submitPinnedCertificate: pinned } = settings;
  return {
    ...ownPair(settings),
    ...(submitCaFile !== undefined && { ca: readAuthorities({ setting: 'SUBMIT_CA_FILE', file: submitCaFile }) }),
    ...(pinned !== undefined && { pinned: readCertificates({ setting: 'SUBMIT_PINNED_CERT', file: pinned }) }),
  };
}

function ownPair({ submitClientCertificate, submitClientKey }: AccessSettings): KeyPair | undefined {
  if (submitClientCertificate === undefined && submitClientKey === undefined) return undefined;
  if (submitClientCertificate === undefined || submitClientKey === undefined) {
    throw new SettingsError(['SUBMIT_CLIENT_CERT and SUBMIT_CLIENT_KEY must be set together']);
  }
  const cert = { setting: 'SUBMIT_CLIENT_CERT', file: submitClientCertificate };
  return readKeyPair(cert, { setting: 'SUBMIT_CLIENT_KEY', file: submitClientKey }, { mustBeValid: true });
}

/** The certificates that a collector is checked against. Throws `SettingsError` if the file is missing or wrong. */
export function readAuthorities(named: NamedFile): string {
  const ca = readPemFile(named);
  certificateIn(named, ca);
  return ca;
}

/** As PEM, without a key that may be in the same file. Throws `SettingsError` if the file is missing or wrong. */
export function readCertificates(named: NamedFile): string {
  return certificatesIn(readAuthorities(named)).join('\n');
}
