import { generate } from 'selfsigned';
import type { AcmeState } from './acme-files.js';
import { dueAt, retryAt } from './schedule.js';
import type { AcmeChoice } from './settings.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BEGIN = Date.parse('2026-11-01T00:00:00Z');
const DIRECTORY = 'https://ca.example.org/directory';

const choice: AcmeChoice = {
  directory: DIRECTORY,
  hosts: ['uc.example.org'],
  challenge: 'tls-alpn-01',
  termsAgreed: true,
  email: undefined,
  ca: undefined,
  eab: undefined,
};

async function issued(lifetime: number, host = 'uc.example.org'): Promise<string> {
  const ca = await generate([{ name: 'commonName', value: 'An authority' }], { keyType: 'ec' });
  const { cert } = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    ca: { key: ca.private, cert: ca.cert },
    notBeforeDate: new Date(BEGIN),
    notAfterDate: new Date(BEGIN + lifetime),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2 as const, value: host }] }],
  });
  return cert;
}

describe('a certificate', () => {
  it.each([90 * DAY, 6 * DAY, 12 * HOUR])(
    'of %s ms is renewed after two thirds of its life, or a little before',
    async (lifetime) => {
      const due = dueAt({ pem: await issued(lifetime), issuedBy: DIRECTORY }, choice) - BEGIN;
      expect(due / lifetime).toBeGreaterThan(0.61);
      expect(due / lifetime).toBeLessThan(0.67);
    },
  );

  it('is asked for at once when it is the first one, lacks a name, or is of another authority', async () => {
    const { cert } = await generate([{ name: 'commonName', value: 'Ringdown' }], { keyType: 'ec' });
    expect(dueAt({ pem: cert, issuedBy: undefined }, choice)).toBe(-Infinity);
    expect(dueAt({ pem: await issued(DAY, 'other.example.org'), issuedBy: DIRECTORY }, choice)).toBe(-Infinity);
    expect(dueAt({ pem: await issued(DAY), issuedBy: 'https://staging.example.org/' }, choice)).toBe(-Infinity);
  });
});

describe('an attempt that failed', () => {
  const now = BEGIN + 30 * DAY;
  const failedAgo = (...ago: readonly number[]): AcmeState => ({
    failures: ago.map((ms) => new Date(now - ms).toISOString()),
  });

  async function pauses(lifetime: number): Promise<readonly number[]> {
    const served = { pem: await issued(lifetime), issuedBy: DIRECTORY };
    return [1, 2, 3, 4, 9].map(
      (count) => retryAt(failedAgo(...Array.from({ length: count }, () => 0)), served, now, false) - now,
    );
  }

  it('is repeated after 1, 10 and 100 minutes, and then every day', async () => {
    expect(await pauses(90 * DAY)).toEqual([MINUTE, 10 * MINUTE, 100 * MINUTE, DAY, DAY]);
  });

  it('is repeated more often when certificates last for hours', async () => {
    expect(await pauses(12 * HOUR)).toEqual([MINUTE, 10 * MINUTE, 30 * MINUTE, 30 * MINUTE, 30 * MINUTE]);
  });

  it('is repeated by a restart, four times in an hour at most', async () => {
    const served = { pem: await issued(90 * DAY), issuedBy: DIRECTORY };
    expect(retryAt(failedAgo(3 * MINUTE, 2 * MINUTE, MINUTE), served, now, true)).toBeLessThanOrEqual(now);
    expect(retryAt(failedAgo(4 * MINUTE, 3 * MINUTE, 2 * MINUTE, MINUTE), served, now, true)).toBeGreaterThan(now);
    expect(retryAt(failedAgo(3 * HOUR, 3 * HOUR, 2 * HOUR, MINUTE), served, now, true)).toBeLessThanOrEqual(now);
  });

  it('is not repeated before the authority allows it, also after a restart', async () => {
    const served = { pem: await issued(90 * DAY), issuedBy: DIRECTORY };
    const state = { ...failedAgo(MINUTE), retryAfter: new Date(now + 3 * HOUR).toISOString() };
    expect(retryAt(state, served, now, true)).toBe(now + 3 * HOUR);
    expect(retryAt(state, served, now, false)).toBe(now + 3 * HOUR);
  });

  it('counts for nothing when a clock that ran ahead has written it', async () => {
    const served = { pem: await issued(90 * DAY), issuedBy: DIRECTORY };
    const ahead = { ...failedAgo(-400 * DAY), retryAfter: new Date(now + 401 * DAY).toISOString() };
    expect(retryAt(ahead, served, now, false)).toBeLessThanOrEqual(now);
  });
});
