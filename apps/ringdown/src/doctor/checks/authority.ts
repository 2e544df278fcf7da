import { join } from 'node:path';
import { AcmeFiles } from '../../acme/acme-files.js';
import { remedyFor } from '../../acme/remedies.js';
import { acmeFolder } from '../../host/certificate.js';
import { ok, problem, warning, type Finding } from '../finding.js';
import type { System } from '../system.js';

export interface AuthorityFacts {
  readonly host: string;
  readonly isRunning: boolean;
  /** Why the last attempt failed; undefined if it did not. */
  readonly reason?: string | undefined;
  readonly kind?: string | undefined;
}

/** What is known of the certificate that an authority is asked for. */
export function awaitedFindings({ host, isRunning, reason, kind = '' }: AuthorityFacts): readonly Finding[] {
  if (reason !== undefined) return [problem(`there is no new certificate: ${reason}`, remedyFor(kind))];
  if (!isRunning) return [ok(`${host} is asked for one by the start (ACME_DIRECTORY)`)];
  return [
    warning(`${host} has been asked for one, and browsers warn until it is there`, 'wait a minute, and look again'),
  ];
}

/** Undefined without ACME_DIRECTORY. */
export function authorityFacts({ settings, dataDir, running }: System): AuthorityFacts | undefined {
  const { acmeDirectory } = settings;
  if (acmeDirectory === undefined) return undefined;
  const { reason, kind } = new AcmeFiles(acmeFolder(join(dataDir, 'tls'))).readState();
  return { host: new URL(acmeDirectory).host, isRunning: running !== undefined, reason, kind };
}
