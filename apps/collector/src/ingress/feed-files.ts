import { errorReason } from '@ringdown/errors';
import type { SettingValues } from '@ringdown/settings';
import { readClientCa, readTlsFiles } from './feed-tls.js';
import { FrontEndParameters } from './front-end-parameters.js';
import { SenderRights } from './sender-rights.js';
import { assertFeedSettings, type collectorSettings } from '../settings.js';

/** Reads the file of COLLECTOR_CONFIGURATION. Throws an Error in one line that names the setting. */
export function readConfigurationFile(path: string): FrontEndParameters {
  return named('COLLECTOR_CONFIGURATION', () => FrontEndParameters.read(path));
}

/** Reads the file of COLLECTOR_SENDERS. Throws an Error in one line that names the setting. */
export function readSendersFile(path: string): SenderRights {
  return named('COLLECTOR_SENDERS', () => SenderRights.read(path));
}

/**
 * For a process that starts servers before the feed: throws the errors that the start of the feed would throw about its
 * settings and their files. A certificate that is not configured yet is not checked.
 */
export function assertFeedFiles(settings: SettingValues<typeof collectorSettings>): void {
  assertFeedSettings(settings);
  const { configurationFile, sendersFile, tlsCert, tlsKey, clientCa } = settings;
  if (configurationFile !== undefined) readConfigurationFile(configurationFile);
  if (sendersFile !== undefined) readSendersFile(sendersFile);
  if (tlsCert !== undefined && tlsKey !== undefined) readTlsFiles(tlsCert, tlsKey, clientCa);
  else if (clientCa !== undefined) readClientCa(clientCa);
}

function named<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${setting} ${errorReason(error)}`, { cause: error });
  }
}
