import { X509Certificate } from 'node:crypto';
import type { AcmeState } from './acme-files.js';
import type { AcmeChoice } from './settings.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of the lifetime; Let's Encrypt advises the same (integration guide, "When to Renew"). */
const RENEW_AFTER = 2 / 3;
/** As much earlier, by chance, that not all certificates of a day are renewed at once. */
const SPREAD = 0.05;
/** After the first failure, the second, and so on (integration guide of Let's Encrypt, "Retrying failures"). */
const PAUSES_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS, DAY_MS];
/** Of a lifetime: certificates of hours cannot wait a day. */
const LONGEST_PAUSE = 1 / 24;
/** Restarts make at most so many in an hour; Let's Encrypt allows five failed validations of a name. */
const STARTS_AN_HOUR = 4;
/** No authority asks for more; a clock that was wrong may have written more. */
const LONGEST_RETRY_AFTER_MS = 7 * DAY_MS;

/** Where the certificate is from that is served. */
export interface Served {
  readonly pem: string;
  readonly issuedBy: string | undefined;
}

/** Whether somebody vouches for the certificate: the first one is its own issuer. */
export function isIssued(pem: string): boolean {
  const { subject, issuer } = new X509Certificate(pem);
  return subject !== issuer;
}

/** When the next certificate is wanted, ms since 1970: at once if this one is not what the operator has chosen. */
export function dueAt({ pem, issuedBy }: Served, { directory, hosts }: AcmeChoice): number {
  const certificate = new X509Certificate(pem);
  const lacksHost = hosts.some((host) => certificate.checkHost(host) === undefined);
  if (!isIssued(pem) || lacksHost || issuedBy !== directory) return -Infinity;
  const chance = Number.parseInt(certificate.fingerprint256.slice(0, 2), 16) / 256;
  return certificate.validFromDate.getTime() + lifetimeOf(pem) * (RENEW_AFTER - SPREAD * chance);
}

function lifetimeOf(pem: string): number {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return validToDate.getTime() - validFromDate.getTime();
}

/** The earliest time for the next attempt after those that have failed, ms since 1970. `atStart`: nothing has been tried by this process. */
export function retryAt(state: AcmeState, served: Served, now: number, atStart: boolean): number {
  // What a clock that ran ahead has written counts for nothing.
  const failures = state.failures.map((time) => Date.parse(time)).filter((time) => time <= now);
  const asked = state.retryAfter === undefined ? -Infinity : Date.parse(state.retryAfter);
  const wanted = asked > now + LONGEST_RETRY_AFTER_MS ? -Infinity : asked;
  const last = failures.at(-1);
  if (last === undefined) return wanted;
  const isRare = failures.filter((time) => time > now - HOUR_MS).length < STARTS_AN_HOUR;
  if (atStart && isRare) return wanted;
  return Math.max(wanted, last + pauseAfter(failures.length, served));
}

function pauseAfter(failures: number, { pem }: Served): number {
  const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? DAY_MS;
  const longest = isIssued(pem) ? Math.max(MINUTE_MS, lifetimeOf(pem) * LONGEST_PAUSE) : DAY_MS;
  return Math.min(pause, longest);
}
