import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { AcmeFiles } from '../../acme/acme-files.js';
import { isIssued } from '../../acme/schedule.js';
import { acmeFolder, generatedFiles } from '../../host/certificate.js';
import { clientNames } from '../../host/client-names.js';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';
import type { System } from '../system.js';
import { authorityFacts, awaitedFindings, type AuthorityFacts } from './authority.js';

export interface CertificateFacts {
  readonly file: string;
  /** The content; undefined if the file is made by the first start. */
  readonly pem: string | undefined;
  readonly isMadeHere: boolean;
  readonly names: readonly string[];
  readonly now: Date;
  /** The fingerprint of what the running system shows; undefined if none runs or answers. */
  readonly shown: string | undefined;
  /** That issues it (ACME_DIRECTORY); undefined if none is set. */
  readonly authority: AuthorityFacts | undefined;
}

const SOON_DAYS = 20;
const DAY_MS = 86_400_000;

export function certificateFindings(facts: CertificateFacts): readonly Finding[] {
  const { file, pem, isMadeHere, shown, authority } = facts;
  if (authority !== undefined && (pem === undefined || isMadeHere)) return awaitedFindings(authority);
  if (pem === undefined) return [ok('it is made by the first start (TLS_CERT and TLS_KEY are not set)')];
  const certificate = new X509Certificate(pem);
  const found = [
    ...(authority?.reason === undefined ? [] : awaitedFindings(authority)),
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
        'compare the fingerprint and go on, have one issued (ACME_DIRECTORY), or set TLS_CERT and TLS_KEY to one that browsers trust',
      ),
    ];
  return found.length > 0 ? found : [ok(`valid until ${day(certificate.validToDate)}, for all names that clients use`)];
}

function validityFindings(
  { now, isMadeHere, file, authority }: CertificateFacts,
  { validFromDate, validToDate }: X509Certificate,
): readonly Finding[] {
  const remedy = isMadeHere
    ? 'start it again: a new one is made'
    : authority === undefined
      ? `renew it, and write it to ${file}: it is read again by itself`
      : 'start the system, which renews it';
  if (validToDate <= now) return [problem(`the certificate expired on ${day(validToDate)}`, remedy)];
  if (validFromDate > now)
    return [problem(`the certificate is not valid before ${day(validFromDate)}`, 'correct the clock')];
  const days = Math.floor((validToDate.getTime() - now.getTime()) / DAY_MS);
  // One of an authority is renewed in time, however short it lasts.
  return days < SOON_DAYS && authority === undefined
    ? [warning(`the certificate expires on ${day(validToDate)}`, remedy)]
    : [];
}

function nameFindings(
  { names, isMadeHere, authority }: CertificateFacts,
  certificate: X509Certificate,
): readonly Finding[] {
  const missing = names.filter(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) === undefined,
  );
  if (missing.length === 0) return [];
  const remedy = isMadeHere
    ? 'start it again: a new one is made'
    : authority === undefined
      ? 'have it issued for these names as well'
      : 'add them to ACME_HOSTS, and start it again';
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
    'one that was made here, that an authority does not issue (and why), expires within 20 days, lacks a name or those between it and the root, or is not the one that clients get',
  examine: async (system) => {
    const { settings, running } = system;
    const authority = authorityFacts(system);
    const file = certificateFile(system);
    const pem = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    return certificateFindings({
      file,
      pem,
      isMadeHere: authority === undefined ? settings.tlsCert === undefined : pem !== undefined && !isIssued(pem),
      authority,
      names: clientNames(system).map(({ name }) => name),
      now: new Date(),
      shown: running === undefined ? undefined : await shownFingerprint(system),
    });
  },
};

function certificateFile({ settings: { tlsCert, acmeDirectory }, dataDir }: System): string {
  const folder = join(dataDir, 'tls');
  if (acmeDirectory !== undefined) return new AcmeFiles(acmeFolder(folder)).certificate;
  return tlsCert ?? generatedFiles(folder).cert;
}

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
