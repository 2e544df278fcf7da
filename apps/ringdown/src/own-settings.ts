import { aggregatorSettings, assertCaptureFiles } from '@ringdown/aggregator';
import { assertFeedFiles, collector } from '@ringdown/collector';
import { assertSingleSignOn, singleSignOnSettings } from '@ringdown/discovery-auth';
import { assertDirectoryFiles, directorySettings } from '@ringdown/directory';
import { passwordSettings, readPasswordRules } from '@ringdown/directory/passwords';
import {
  misspelledSettings,
  readSettingGroups,
  readSettings,
  SettingsError,
  type Environment,
  type SettingValues,
} from '@ringdown/settings';
import { readSubscribersFile, subscribers } from '@ringdown/subscribers';
import { acmeChoice, type AcmeChoice } from './acme/settings.js';
import { ownCertificate } from './host/certificate.js';
import { clientNames } from './host/client-names.js';
import { knownNames, settingGroups } from './setting-names.js';
import { ringdownSettings } from './settings.js';

/** Replaced in the settings of the services; each gets its own connection. */
export const EMBEDDED_NATS_URL = 'nats://embedded';

/** What the operator set: an empty setting counts as missing, as in every `.env` file. */
export function setValues(env: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
}

/** Throws when a setting, or a file that it names, is wrong: before anything is started. */
export async function readOwnSettings(env: Environment): Promise<SettingValues<typeof ringdownSettings>> {
  const misspelled = misspelledSettings(knownNames, env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  // The URLs of embedded servers are not known yet; placeholders allow everything else to be checked at once.
  const placeholders = { NATS_URL: EMBEDDED_NATS_URL, DATABASE_URL: 'postgres://embedded' };
  const complete = { ...placeholders, ...env };
  readSettingGroups(settingGroups, complete);
  const settings = readSettings(ringdownSettings, env);
  ownCertificate({ certFile: settings.tlsCert, keyFile: settings.tlsKey });
  chosenAuthority(settings, env);
  assertFeedFiles(readSettings(collector.fields, env));
  assertCaptureFiles(readSettings(aggregatorSettings, complete));
  assertSingleSignOn(readSettings(singleSignOnSettings, env));
  await readPasswordRules(readSettings(passwordSettings, env));
  await assertDirectoryFiles(readSettings(directorySettings, env));
  const { subscribersFile } = readSettings(subscribers.fields, env);
  // Every data folder has a seed for hidden users.
  if (subscribersFile !== undefined) await readSubscribersFile(subscribersFile, true);
  return settings;
}

/** The authority that certifies this system; undefined if none is set. Throws an Error in one line. `env`: as the operator set it. */
export function chosenAuthority(
  settings: SettingValues<typeof ringdownSettings>,
  env: Environment,
): AcmeChoice | undefined {
  const names = clientNames({ env, settings }).map(({ name }) => name);
  return acmeChoice(settings, { ...settings, names });
}
