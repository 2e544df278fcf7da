import { freePorts, launch } from '@ringdown/testing/launched-system';
import { Started } from '@ringdown/testing/started';
import { readSettings, SettingsError } from '@ringdown/settings';
import { runSettings } from '@ringdown/sender';
import { edgeSettings } from '@ringdown/web-service';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRingdown } from '../src/ringdown.js';
import { settingGroups } from '../src/setting-names.js';

const NONSENSE = '%%%';
const all = Object.assign({}, ...Object.values(settingGroups), edgeSettings, runSettings) as typeof runSettings;
const settings = [...new Map(Object.values(all).map((setting) => [setting.env, setting])).values()];

/** The error message of a setting for nonsense; undefined when it accepts any text. */
function settingProblem(env: string): string | undefined {
  const setting = settings.find((each) => each.env === env);
  try {
    if (setting !== undefined) readSettings({ setting }, { [env]: NONSENSE });
    return undefined;
  } catch (error) {
    return error instanceof SettingsError ? error.message : String(error);
  }
}

const takesAnything = settings.map(({ env }) => env).filter((env) => settingProblem(env) === undefined);

describe('a wrong setting', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-wrong-'));

  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  it('is named in the error, whichever setting it is', () => {
    const refusing = settings.map(({ env }) => env).filter((env) => !takesAnything.includes(env));
    expect(refusing.length).toBeGreaterThan(80);
    expect(refusing.filter((env) => !settingProblem(env)?.startsWith(`${env} `))).toEqual([]);
    expect(settingProblem('TRUSTED_PROXIES')).toMatch(/^TRUSTED_PROXIES must be addresses or networks .*, not "%%%"$/);
  });

  const https = { COLLECTOR_HTTPS_PORT: '0' };
  /**
   * Settings whose text refers to something else: files, URLs, entries of a directory. With the other settings they
   * need.
   */
  const meansSomething: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    TLS_CERT: {},
    TLS_KEY: {},
    ACME_CA_FILE: { ACME_DIRECTORY: 'https://127.0.0.1:1/', ACME_HOSTS: 'uc.example.test' },
    ACME_EAB_KEY_ID: { ACME_DIRECTORY: 'https://127.0.0.1:1/', ACME_HOSTS: 'uc.example.test' },
    PEOPLE_FILE: {},
    BAD_PASSWORDS_FILE: {},
    COLLECTOR_TLS_CERT: https,
    COLLECTOR_TLS_KEY: https,
    COLLECTOR_CLIENT_CA: https,
    COLLECTOR_CONFIGURATION: {},
    COLLECTOR_SENDERS: {},
    CAPTURE_CA_FILE: {},
    CAPTURE_PINNED_CERT: {},
    SUBSCRIBERS_FILE: {},
    DIRECTORY_BASE_DN: {},
    DIRECTORY_BIND_DN: {},
    DIRECTORY_BIND_PASSWORD: {},
    DIRECTORY_OPERATORS_GROUP: {},
    DIRECTORY_REVEAL_GROUP: {},
    DIRECTORY_ADMINS_GROUP: {},
    DIRECTORY_SIGN_IN_ATTRIBUTES: {},
    OIDC_CLIENT_ID: {},
    OIDC_CLIENT_SECRET: {},
    OIDC_AUDIENCES: {},
    OIDC_ROLES_CLAIM: {},
    DIRECTORY_CA_FILE: { DIRECTORY_URL: 'ldap://127.0.0.1:1', DIRECTORY_BASE_DN: 'dc=test' },
  };
  /** Accept any text: the folder is created, and only the provider knows its scopes, claims and groups. */
  const ofProvider = ['SCOPE', 'PERSON_CLAIM', 'OPERATOR_VALUE', 'REVEAL_VALUE', 'ADMIN_VALUE'];
  const isFree = ['DATA_DIR', ...ofProvider.map((name) => `OIDC_${name}`)];
  /** These have their own tests. */
  const ofSenders = Object.values(runSettings).map(({ env }) => env);

  it('that accepts any text has a test below', () => {
    const left = takesAnything.filter((env) => !(env in meansSomething) && ![...isFree, ...ofSenders].includes(env));
    expect(left).toEqual([]);
  });

  /** The error message that the operator sees. */
  async function refusalOf(env: Readonly<Record<string, string>>): Promise<string> {
    const given = { ...(await freePorts()), LISTEN_HOST: '127.0.0.1', INNER_PORT: '0', DATA_DIR: folder, ...env };
    const refusal: unknown = await startRingdown(given).then(
      (program) => program.close(),
      (error: unknown) => error,
    );
    // The bus and the database start in parallel.
    expect(existsSync(join(folder, 'database'))).toBe(false);
    return refusal instanceof Error ? refusal.message : 'it has started';
  }

  it.each(Object.entries(meansSomething))(
    '%s is named when it refers to nothing, before any server starts',
    async (env, more) => {
      expect(await refusalOf({ ...more, [env]: NONSENSE })).toMatch(new RegExp(`^.*\\b${env}\\b.*$`, 'm'));
    },
  );

  it.each(['LISTEN_HOST', 'COLLECTOR_HOST', 'INNER_HOST'])(
    '%s is named when it is not an address of this machine, before any server starts',
    async (env) => expect(await refusalOf({ [env]: '192.0.2.1' })).toMatch(new RegExp(`^.*\\b${env}\\b.*$`)),
  );

  it('ends the program with one line and no stack trace', async () => {
    const system = launch({ ...(await freePorts()), DATA_DIR: folder, PEOPLE_FILE: NONSENSE });
    started.add(system);
    expect(await system.ended).toBe(1);
    expect(system.stderr()).toMatch(/^ringdown: .*\bPEOPLE_FILE\b.*\n$/);
  });
});
