import { readPem } from '@ringdown/node-http';
import { setting, type SettingValues } from '@ringdown/settings';
import { isIP } from 'node:net';

export type ChallengeType = 'http-01' | 'tls-alpn-01';

const task = 'https';

/** Certificates from an authority that speaks ACME (RFC 8555). Without ACME_DIRECTORY, the others have no effect. */
export const acmeSettings = {
  acmeDirectory: setting.optional(
    setting.url('ACME_DIRECTORY', ['https'], {
      task,
      about:
        'Directory URL of a certificate authority (ACME): certificates are obtained from it, and renewed. Let’s Encrypt: `https://acme-v02.api.letsencrypt.org/directory`',
    }),
  ),
  acmeHosts: {
    ...setting.optional(setting.domains('ACME_HOSTS', { task, about: 'Names that the certificate is for' })),
    shownDefault: 'hosts of PUBLIC_ORIGIN, and the discovery name of each of SIP_DOMAINS, as far as they are set',
  },
  acmeTerms: setting.choice('ACME_TERMS', ['agreed', 'not-agreed'], {
    task,
    default: 'not-agreed',
    about: 'Whether you agree to the terms of service of the authority; the log names their address',
  }),
  acmeEmail: setting.optional({
    ...setting.text('ACME_EMAIL', { task, about: 'Address to which the authority may write about the account' }),
    allowed: 'e-mail address',
    parse: (text) => {
      if (!/^[^\s@,]+@[^\s@,]+$/.test(text)) throw new Error('must be an e-mail address like admin@example.org');
      return text;
    },
  }),
  acmeChallenge: {
    ...setting.optional(
      setting.choice<ChallengeType>('ACME_CHALLENGE', ['http-01', 'tls-alpn-01'], {
        task,
        about:
          'How the authority checks the names: it connects to port 80 of each (`http-01`, needs HTTP_PORT) or to port 443 (`tls-alpn-01`)',
      }),
    ),
    shownDefault: 'http-01 with HTTP_PORT, else tls-alpn-01',
  },
  acmeCaFile: setting.optional(
    setting.text('ACME_CA_FILE', {
      task,
      about:
        'Authorities (PEM file) that the certificate of ACME_DIRECTORY itself is checked against, for one of your own',
    }),
  ),
  acmeEabKeyId: setting.optional(
    setting.text('ACME_EAB_KEY_ID', {
      task,
      about: 'Identifier of your account at an authority that binds ACME accounts to others (external account binding)',
    }),
  ),
  acmeEabHmacKey: setting.optional({
    ...setting.text('ACME_EAB_HMAC_KEY', { task, secret: true, about: 'Key that belongs to ACME_EAB_KEY_ID' }),
    allowed: 'base64url',
    parse: (text) => {
      if (!/^[\w-]+={0,2}$/.test(text)) throw new Error('must be base64url, as the authority shows it');
      return text;
    },
  }),
};

/** What an operator has chosen, complete. */
export interface AcmeChoice {
  readonly directory: string;
  readonly hosts: readonly string[];
  readonly challenge: ChallengeType;
  readonly termsAgreed: boolean;
  readonly email: string | undefined;
  /** PEM; undefined for the authorities that Node trusts. */
  readonly ca: string | undefined;
  readonly eab: { readonly kid: string; readonly hmacKey: string } | undefined;
}

interface Surroundings {
  readonly tlsCert: string | undefined;
  readonly httpPort: number | undefined;
  /** By which clients look for this system. */
  readonly names: readonly string[];
}

/** Undefined without ACME_DIRECTORY. Throws an Error in one line that names the settings. */
export function acmeChoice(
  settings: SettingValues<typeof acmeSettings>,
  { tlsCert, httpPort, names }: Surroundings,
): AcmeChoice | undefined {
  const { acmeDirectory: directory, acmeHosts, acmeEabKeyId: kid, acmeEabHmacKey: hmacKey } = settings;
  if (directory === undefined) return assertNothingElse(settings);
  if (tlsCert !== undefined) throw new Error('ACME_DIRECTORY and TLS_CERT exclude each other: remove one of them');
  if ((kid === undefined) !== (hmacKey === undefined))
    throw new Error('ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY must be set together');
  const hosts = [...new Set((acmeHosts ?? names.filter(isPublicName)).map((host) => host.toLowerCase()))];
  if (hosts.length === 0) throw new Error('ACME_DIRECTORY needs a name to certify: set PUBLIC_ORIGIN, or ACME_HOSTS');
  const challenge = settings.acmeChallenge ?? (httpPort === undefined ? 'tls-alpn-01' : 'http-01');
  if (challenge === 'http-01' && httpPort === undefined)
    throw new Error('ACME_CHALLENGE=http-01 needs HTTP_PORT: 80, or the port that port 80 of the names leads to');
  return {
    directory,
    hosts,
    challenge,
    termsAgreed: settings.acmeTerms === 'agreed',
    email: settings.acmeEmail,
    ca: settings.acmeCaFile === undefined ? undefined : readAuthorities(settings.acmeCaFile),
    eab: kid === undefined || hmacKey === undefined ? undefined : { kid, hmacKey },
  };
}

/** An operator who has set one of them wants a certificate. */
function assertNothingElse(settings: SettingValues<typeof acmeSettings>): undefined {
  const { acmeHosts, acmeEmail, acmeChallenge, acmeCaFile, acmeEabKeyId, acmeEabHmacKey } = settings;
  const given = {
    ACME_HOSTS: acmeHosts,
    ACME_EMAIL: acmeEmail,
    ACME_CHALLENGE: acmeChallenge,
    ACME_CA_FILE: acmeCaFile,
    ACME_EAB_KEY_ID: acmeEabKeyId,
    ACME_EAB_HMAC_KEY: acmeEabHmacKey,
  };
  const alone = Object.entries(given).find(([, value]) => value !== undefined);
  if (alone !== undefined) throw new Error(`${alone[0]} needs ACME_DIRECTORY`);
}

/** No authority certifies names of one machine alone, and addresses only under other rules (RFC 8738). */
function isPublicName(name: string): boolean {
  return name.includes('.') && isIP(name.replaceAll(/[[\]]/g, '')) === 0;
}

function readAuthorities(file: string): string {
  const pem = readPem('ACME_CA_FILE', file);
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`ACME_CA_FILE: ${file} contains no certificate`);
  return pem;
}
