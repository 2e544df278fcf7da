import { setting, type SettingValues } from '@ringdown/settings';
import { peopleFileIn } from './people-file/first-users.js';
import { ldapSettings } from './ldap/ldap-settings.js';

/** The source of people: read by every service that needs them and by the command that edits them. */
export const directorySettings = {
  peopleFile: setting.optional(
    setting.text('PEOPLE_FILE', {
      task: 'people',
      about:
        'File with all people, which only its editor changes. Default: people are on the message bus, at first start those of DATA_DIR/people.json',
    }),
  ),
  ...ldapSettings,
  dataDir: setting.text('DATA_DIR', { task: 'database', default: './data', about: 'Folder for all data' }),
  sipDomains: setting.domains('SIP_DOMAINS', {
    task: 'addresses',
    default: ['example.test'],
    about: 'SIP domains served; the first completes names without a domain',
  }),
};

export function peopleFilePath(settings: SettingValues<typeof directorySettings>): string {
  return settings.peopleFile ?? peopleFileIn(settings.dataDir);
}

/** Whether the people are on the bus, where administrators change them; otherwise a file or a directory server has them. */
export function isOnBus({ peopleFile, directoryUrls }: SettingValues<typeof directorySettings>): boolean {
  return peopleFile === undefined && directoryUrls === undefined;
}
