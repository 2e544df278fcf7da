import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { generatedFiles } from '../../host/certificate.js';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';
import type { System } from '../system.js';
import { neededNames } from './names.js';

export interface CertificateFacts {
  readonly file: string;
  /** The content; undefined if the file is made by the first start. */
  readonly pem: string | undefined;
  readonly isMadeHere: boolean;
  readonly names: readonly string[];
  readonly now: Date;
  /** The fingerprint of what the running system shows; undefined if none runs or answers. */
  readonly shown: string | undefined;
}

const SOON_DAYS = 20;
const DAY_MS = 86_400_000;

export function certificateFindings(facts: CertificateFacts): readonly Finding[] {
  const { file, pem, isMadeHere, shown } = facts;
  if (pem === undefined) return [ok('it is made by the first start (TLS_CERT and TLS_KEY are not set)')];
  const certificate = new X509Certificate(pem);
  const found = [
    ...validityFindings(facts, certificate),
    ...nameFindings(facts, certificate),
    ...chainFindings(facts, certificate),
    ...(shown !== undefined && shown !== certificate.fingerprint256
      ? [
          warning(
            `clients still get another certificate than ${file}`,
            'it is read again within seconds; if not, the log says why',
          ),
        ]
      : []),
  ];
  if (isMadeHere && found.length === 0)
    return [
      warning(
        `it was made here, so browsers warn about it; its fingerprint is ${certificate.fingerprint256}`,
        'compare the fingerprint and go on, or set TLS_CERT and TLS_KEY to a certificate that browsers trust',
      ),
    ];
  return found.length > 0 ? found : [ok(`valid until ${day(certificate.validToDate)}, for all names that clients use`)];
}

function validityFindings(
  { now, isMadeHere, file }: CertificateFacts,
  { validFromDate, validToDate }: X509Certificate,
): readonly Finding[] {
  const remedy = isMadeHere
    ? 'start it again: a new one is made'
    : `renew it, and write it to ${file}: it is read again by itself`;
  if (validToDate <= now) return [problem(`the certificate expired on ${day(validToDate)}`, remedy)];
  if (validFromDate > now)
    return [problem(`the certificate is not valid before ${day(validFromDate)}`, 'correct the clock')];
  const days = Math.floor((validToDate.getTime() - now.getTime()) / DAY_MS);
  return days < SOON_DAYS ? [warning(`the certificate expires on ${day(validToDate)}`, remedy)] : [];
}

function nameFindings({ names, isMadeHere }: CertificateFacts, certificate: X509Certificate): readonly Finding[] {
  const missing = names.filter(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) === undefined,
  );
  if (missing.length === 0) return [];
  const remedy = isMadeHere ? 'start it again: a new one is made' : 'have it issued for these names as well';
  return [problem(`the certificate lacks ${missing.join(', ')}`, remedy)];
}

/** A client knows the root; it needs every certificate between it and the one of the server. */
function chainFindings(
  { pem = '', file, isMadeHere }: CertificateFacts,
  certificate: X509Certificate,
): readonly Finding[] {
  const isAlone = pem.split('-----BEGIN CERTIFICATE-----').length === 2;
  if (isMadeHere || !isAlone || certificate.subject === certificate.issuer) return [];
  return [
    warning(
      `${file} has one certificate, issued by ${certificate.issuer.split('\n').at(-1) ?? ''}, and none of the issuer`,
      'append those between it and the root ("fullchain.pem" of most clients of ACME)',
    ),
  ];
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export const CERTIFICATE: Check = {
  name: 'certificate',
  looksAt:
    'one that was made here, expires within 20 days, lacks a name or those between it and the root, or is not the one that clients get',
  examine: async (system) => {
    const { settings, running, dataDir } = system;
    const file = settings.tlsCert ?? generatedFiles(join(dataDir, 'tls')).cert;
    return certificateFindings({
      file,
      pem: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
      isMadeHere: settings.tlsCert === undefined,
      names: neededNames(system).map(({ name }) => name),
      now: new Date(),
      shown: running === undefined ? undefined : await shownFingerprint(system),
    });
  },
};

const CONNECT_MS = 4_000;

/** Of the certificate that a client of this machine gets. */
async function shownFingerprint({ settings }: System): Promise<string | undefined> {
  const host = settings.listenHost === '0.0.0.0' || settings.listenHost === '::' ? 'localhost' : settings.listenHost;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Whether it is trusted is another question.
  const socket = connect({ host, port: settings.port, rejectUnauthorized: false, timeout: CONNECT_MS });
  socket.once('secureConnect', () => resolve(socket.getPeerX509Certificate()?.fingerprint256));
  for (const event of ['error', 'timeout', 'close']) socket.once(event, () => resolve(undefined));
  return promise.finally(() => socket.destroy());
}
