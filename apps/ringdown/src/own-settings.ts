import { assertFeedFiles, collector } from '@ringdown/collector';
import { assertDirectoryFiles, directorySettings } from '@ringdown/directory';
import {
  misspelledSettings,
  readSettingGroups,
  readSettings,
  SettingsError,
  type Environment,
  type SettingValues,
} from '@ringdown/settings';
import { readSubscribersFile, subscribers } from '@ringdown/subscribers';
import { ownCertificate } from './certificate.js';
import { knownNames, settingGroups } from './setting-names.js';
import { ringdownSettings } from './settings.js';

/** Stands in the settings of the services; each is given its own connection. */
export const EMBEDDED_NATS_URL = 'nats://embedded';

/** Throws where a setting is wrong, or a file that it names: before anything has been started. */
export async function readOwnSettings(env: Environment): Promise<SettingValues<typeof ringdownSettings>> {
  const misspelled = misspelledSettings(knownNames, env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  // The addresses of embedded servers are not known yet; any will do to have everything else checked at once.
  const placeholders = { NATS_URL: EMBEDDED_NATS_URL, DATABASE_URL: 'postgres://embedded' };
  readSettingGroups(settingGroups, { ...placeholders, ...env });
  const settings = readSettings(ringdownSettings, env);
  ownCertificate({ certFile: settings.tlsCert, keyFile: settings.tlsKey });
  assertFeedFiles(readSettings(collector.fields, env));
  await assertDirectoryFiles(readSettings(directorySettings, env));
  const { subscribersFile } = readSettings(subscribers.fields, env);
  // There is a seed for hidden users in every data folder.
  if (subscribersFile !== undefined) await readSubscribersFile(subscribersFile, true);
  return settings;
}
