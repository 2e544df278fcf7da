import { setting, SettingsError, type Setting, type SettingValues } from '@ringdown/settings';
import { isThisMachine } from './single-sign-on/provider-endpoints.js';

/** The settings for signing in at an OpenID Connect provider, beside passwords. */
export const singleSignOnSettings = {
  oidcIssuer: setting.optional(
    issuerUrl('OIDC_ISSUER', 'OpenID Connect provider at which people may sign in instead of with a password'),
  ),
  oidcClientId: setting.optional(
    setting.text('OIDC_CLIENT_ID', {
      task: 'signIn',
      about: 'Name of this server at the provider; needed with OIDC_ISSUER',
    }),
  ),
  oidcClientSecret: setting.optional(
    setting.text('OIDC_CLIENT_SECRET', {
      task: 'signIn',
      secret: true,
      about: 'Its secret. Default: none, a public client',
    }),
  ),
  oidcScope: setting.text('OIDC_SCOPE', {
    task: 'signIn',
    default: 'openid profile email',
    about: 'What the console requests from the provider, separated by spaces',
  }),
  oidcAudiences: setting.optional(
    setting.list('OIDC_AUDIENCES', {
      task: 'signIn',
      about: 'Audiences for which tokens of the provider are accepted. Default: OIDC_CLIENT_ID',
    }),
  ),
  oidcPersonClaim: setting.text('OIDC_PERSON_CLAIM', {
    task: 'signIn',
    default: 'preferred_username',
    about:
      'Claim with the username or SIP address of the person; `email` counts only when the provider has verified it',
  }),
  oidcUnknownPeople: setting.choice('OIDC_UNKNOWN_PEOPLE', ['reject', 'create'], {
    task: 'signIn',
    default: 'reject',
    about:
      'What happens to a person of one of SIP_DOMAINS whom only the provider knows; `create` adds the person, without a password, where people are on the message bus',
  }),
  oidcRolesClaim: setting.optional(
    setting.text('OIDC_ROLES_CLAIM', {
      task: 'signIn',
      about:
        'Claim with the roles or groups of the person, like `groups` or `realm_access.roles`. Default: the roles of the directory',
    }),
  ),
  oidcOperatorValue: setting.text('OIDC_OPERATOR_VALUE', {
    task: 'signIn',
    default: 'operator',
    about: 'Value of OIDC_ROLES_CLAIM that gives the role `operator`',
  }),
  oidcRevealValue: setting.text('OIDC_REVEAL_VALUE', {
    task: 'signIn',
    default: 'reveal',
    about: 'Value of OIDC_ROLES_CLAIM that gives the role `reveal`',
  }),
  oidcAdminValue: setting.text('OIDC_ADMIN_VALUE', {
    task: 'signIn',
    default: 'admin',
    about: 'Value of OIDC_ROLES_CLAIM that gives the role `admin`',
  }),
  oidcAnswerMs: setting.integer('OIDC_ANSWER_MS', {
    task: 'signIn',
    default: 5_000,
    min: 100,
    max: 60_000,
    about: 'Time limit for one answer of the provider, milliseconds',
  }),
  oidcClockSeconds: setting.integer('OIDC_CLOCK_SECONDS', {
    task: 'signIn',
    default: 30,
    min: 0,
    max: 600,
    about: 'How far the clock of the provider may differ, seconds',
  }),
};

export type SingleSignOnSettings = SettingValues<typeof singleSignOnSettings>;

/** Settings without effect unless a provider is set. */
const NEED_ISSUER = ['oidcClientId', 'oidcClientSecret', 'oidcAudiences', 'oidcRolesClaim'] as const;

/** Throws {@link SettingsError} for settings of which one needs another. */
export function assertSingleSignOn(settings: SingleSignOnSettings): void {
  const { oidcIssuer, oidcClientId } = settings;
  if (oidcIssuer !== undefined) {
    if (oidcClientId === undefined) throw new SettingsError(['OIDC_CLIENT_ID is required with OIDC_ISSUER']);
    return;
  }
  if (settings.oidcUnknownPeople === 'create')
    throw new SettingsError(['OIDC_UNKNOWN_PEOPLE is set without OIDC_ISSUER']);
  const set = NEED_ISSUER.filter((name) => settings[name] !== undefined);
  if (set.length > 0) {
    throw new SettingsError(set.map((name) => `${singleSignOnSettings[name].env} is set without OIDC_ISSUER`));
  }
}

function issuerUrl(env: string, about: string): Setting<string> {
  const text = setting.text(env, { task: 'signIn', about });
  return {
    ...text,
    fallback: undefined,
    allowed: 'https://…',
    parse: (value) => {
      if (!isIssuer(value))
        throw new Error('must be the https URL of the provider, like https://sso.example.test/realms/uc');
      return value;
    },
  };
}

/** Unencrypted only on this machine, for trials. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname))) &&
    search === '' &&
    hash === '' &&
    username === ''
  );
}
