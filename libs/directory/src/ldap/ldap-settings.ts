import { setting, SettingsError, type Setting, type SettingValues } from '@ringdown/settings';
import { FilterParser } from 'ldapts';
import { PRESETS, SETTABLE_FIELDS, type LdapNames, type Preset, type SettableField } from './ldap-names.js';

const presetNames = Object.keys(PRESETS).filter((name): name is Preset => Object.hasOwn(PRESETS, name));

/** The settings for people in a directory server. */
export const ldapSettings = {
  directoryUrls: setting.optional(
    ldapUrls(
      'Directory server with the people (LDAP, Active Directory); several with the same content are tried in order',
    ),
  ),
  directoryPreset: setting.choice('DIRECTORY_PRESET', presetNames, {
    task: 'directory',
    default: 'inetorgperson',
    about: 'Names of attributes in the directory',
  }),
  directoryBaseDn: setting.optional(
    setting.text('DIRECTORY_BASE_DN', {
      task: 'directory',
      about: 'Entry below which the people are; needed with DIRECTORY_URL',
    }),
  ),
  directoryBindDn: setting.optional(
    setting.text('DIRECTORY_BIND_DN', {
      task: 'directory',
      about: 'Service account that may read the people. Default: anonymous',
    }),
  ),
  directoryBindPassword: setting.optional(
    setting.text('DIRECTORY_BIND_PASSWORD', { task: 'directory', secret: true, about: 'Its password' }),
  ),
  directoryStartTls: setting.choice('DIRECTORY_STARTTLS', ['on', 'off'], {
    task: 'directory',
    default: 'on',
    about: 'Whether `ldap://` is upgraded to TLS; `off` sends passwords unencrypted',
  }),
  directoryCaFile: setting.optional(
    setting.text('DIRECTORY_CA_FILE', {
      task: 'directory',
      about: 'Certificates (PEM) of the authorities for the directory server',
    }),
  ),
  directoryPeopleFilter: setting.optional(
    ldapFilter(
      'DIRECTORY_PEOPLE_FILTER',
      'Filter for people who can be found and sign in. Default: the filter of the preset',
    ),
  ),
  directorySignIn: setting.optional(
    setting.list('DIRECTORY_SIGN_IN_ATTRIBUTES', {
      task: 'directory',
      about: 'Attributes with the names for signing in. Default: those of the preset',
    }),
  ),
  directoryAttributes: setting.optional(
    attributeMap(
      `Attributes that differ from the preset's, as \`field=attribute\`; fields: ${SETTABLE_FIELDS.join(' ')}`,
    ),
  ),
  directoryOperatorsGroup: setting.optional(
    setting.text('DIRECTORY_OPERATORS_GROUP', {
      task: 'directory',
      about: 'Group (DN) whose members have the role `operator`',
    }),
  ),
  directoryOperatorsFilter: setting.optional(
    ldapFilter('DIRECTORY_OPERATORS_FILTER', 'Filter for people with the role `operator`'),
  ),
  directoryRevealGroup: setting.optional(
    setting.text('DIRECTORY_REVEAL_GROUP', {
      task: 'directory',
      about: 'Group (DN) whose members have the role `reveal`: with `operator`, they see the users of calls',
    }),
  ),
  directoryAdminsGroup: setting.optional(
    setting.text('DIRECTORY_ADMINS_GROUP', {
      task: 'directory',
      about: 'Group (DN) whose members have the role `admin`: they see the people and end sessions',
    }),
  ),
  directoryRefreshSeconds: setting.integer('DIRECTORY_REFRESH_SECONDS', {
    task: 'directory',
    default: 30,
    min: 1,
    max: 86_400,
    about: 'How often changed people are read, seconds',
  }),
  directoryFullRefreshSeconds: setting.integer('DIRECTORY_FULL_REFRESH_SECONDS', {
    task: 'directory',
    default: 900,
    min: 1,
    max: 604_800,
    about: 'How often all people and roles are read, seconds; until then a removed person is still found',
  }),
  directoryPageSize: setting.integer('DIRECTORY_PAGE_SIZE', {
    task: 'directory',
    default: 500,
    min: 1,
    max: 10_000,
    about: 'People per page of the directory; many servers allow 1000',
  }),
  directoryConnectMs: setting.integer('DIRECTORY_CONNECT_MS', {
    task: 'directory',
    default: 3_000,
    min: 100,
    max: 60_000,
    about: 'Time limit for connecting to the directory, milliseconds',
  }),
  directoryAnswerMs: setting.integer('DIRECTORY_ANSWER_MS', {
    task: 'directory',
    default: 5_000,
    min: 100,
    max: 300_000,
    about: 'Time limit for one answer of the directory, milliseconds',
  }),
  directoryConnections: setting.integer('DIRECTORY_CONNECTIONS', {
    task: 'directory',
    default: 4,
    min: 1,
    max: 100,
    about: 'Maximum number of passwords that the directory checks at the same time',
  }),
};

export type LdapSettings = SettingValues<typeof ldapSettings>;

/**
 * Settings without effect unless a directory server is set: without an error, operators would be missing unexplained.
 */
const NEED_DIRECTORY_URL = [
  'directoryBaseDn',
  'directoryBindDn',
  'directoryBindPassword',
  'directoryCaFile',
  'directoryPeopleFilter',
  'directorySignIn',
  'directoryAttributes',
  'directoryOperatorsGroup',
  'directoryOperatorsFilter',
  'directoryRevealGroup',
  'directoryAdminsGroup',
] as const;

/** Settings that are required or forbidden because of another one; as lines for the operator. */
export function ldapProblems(settings: LdapSettings): string[] {
  const { directoryUrls, directoryBaseDn, directoryBindDn, directoryBindPassword } = settings;
  const problems: string[] = [];
  if (directoryUrls !== undefined && directoryBaseDn === undefined) {
    problems.push('DIRECTORY_BASE_DN is required with DIRECTORY_URL');
  }
  if (directoryUrls === undefined) {
    const set = NEED_DIRECTORY_URL.filter((name) => settings[name] !== undefined);
    problems.push(...set.map((name) => `${ldapSettings[name].env} is set without DIRECTORY_URL`));
  }
  if ((directoryBindDn === undefined) !== (directoryBindPassword === undefined)) {
    problems.push('DIRECTORY_BIND_DN and DIRECTORY_BIND_PASSWORD must be set together: set both or neither');
  }
  return problems;
}

/** The names of the preset, replaced by those in the settings. */
export function ldapNames(settings: LdapSettings): LdapNames {
  const preset: LdapNames = PRESETS[settings.directoryPreset];
  return {
    ...preset,
    signIn: settings.directorySignIn ?? preset.signIn,
    attributes: { ...preset.attributes, ...settings.directoryAttributes },
  };
}

function ldapUrls(about: string): Setting<readonly string[]> {
  const list = setting.list('DIRECTORY_URL', { task: 'directory', about });
  return {
    ...list,
    allowed: 'ldap://… or ldaps://…, comma-separated',
    parse: (text) => {
      const urls = list.parse(text);
      if (!urls.every(isServer))
        throw new Error('must hold URLs like ldaps://ldap.example.test or ldap://10.0.0.1:389');
      return urls;
    },
  };
}

function isServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, username } = new URL(text);
  return /^ldaps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && search === '' && username === '';
}

/** The filter as text: a parsed filter cannot be passed to another thread. */
function ldapFilter(env: string, about: string): Setting<string> {
  const text = setting.text(env, { task: 'directory', about });
  return {
    ...text,
    fallback: undefined,
    allowed: 'filter like (attribute=value)',
    parse: (value) => {
      try {
        FilterParser.parseString(value);
        return value;
      } catch (cause) {
        throw new Error('must be a filter like (&(objectClass=person)(mail=*)), RFC 4515', { cause });
      }
    },
  };
}

function attributeMap(about: string): Setting<Partial<Record<SettableField, readonly string[]>>> {
  const list = setting.list('DIRECTORY_ATTRIBUTES', { task: 'directory', about });
  return {
    ...list,
    fallback: undefined,
    allowed: 'comma-separated field=attribute',
    parse: (text) =>
      Object.fromEntries(
        list.parse(text).map((item) => {
          const [, field, attribute] = /^(\w+)\s*=\s*([a-zA-Z][\w-]*)$/.exec(item) ?? [];
          const known = SETTABLE_FIELDS.find((name) => name === field);
          if (known === undefined || attribute === undefined) {
            throw new Error(`must hold items like mail=rfc822Mailbox; fields are ${SETTABLE_FIELDS.join(', ')}`);
          }
          return [known, [attribute]];
        }),
      ),
  };
}

/** Throws {@link SettingsError} with every problem at once. */
export function assertLdapSettings(settings: LdapSettings): void {
  const problems = ldapProblems(settings);
  if (problems.length > 0) throw new SettingsError(problems);
}
