import { generate } from 'selfsigned';
import { certificateFindings, type CertificateFacts } from './certificate.js';
import { frontEndFindings, networksOf, type FrontEndFacts } from './front-ends.js';
import { nameFindings, type NameFacts } from './names.js';
import { reachabilityFindings, type ReachabilityFacts } from './reachability.js';
import { stateFindings, type StateFacts } from './state.js';
import { findingLines as lines } from '../report.js';

const DAY_MS = 86_400_000;

describe('the doctor, of names', () => {
  const name: NameFacts = { name: 'ucdiscover.example.org', why: 'clients find the server by it', addresses: [] };

  it.each<[string, readonly NameFacts[], readonly string[], readonly string[]]>([
    [
      'none that is needed',
      [],
      [],
      [
        'ok: no names are needed: SIP_DOMAINS and PUBLIC_ORIGIN are not set, so clients of this machine alone are served',
      ],
    ],
    [
      'one that cannot be found',
      [{ ...name, code: 'ENOTFOUND' }],
      ['192.0.2.7'],
      [
        'problem: ucdiscover.example.org cannot be found (ENOTFOUND): clients find the server by it → add to the zone of the domain: ucdiscover.example.org. IN A 192.0.2.7',
      ],
    ],
    [
      'one that cannot be found, where only IPv6 is',
      [name],
      ['2001:db8::7'],
      [
        'problem: ucdiscover.example.org cannot be found (no address): clients find the server by it → add to the zone of the domain: ucdiscover.example.org. IN AAAA 2001:db8::7',
      ],
    ],
    [
      'this machine',
      [{ ...name, addresses: ['192.0.2.7'] }],
      ['192.0.2.7'],
      ['ok: ucdiscover.example.org is this machine'],
    ],
    [
      'another machine, or a router in front of this one',
      [{ ...name, addresses: ['198.51.100.1'] }],
      ['192.0.2.7'],
      [
        'unknown: ucdiscover.example.org is 198.51.100.1, no address of this machine: clients find the server by it → right if a router or balancer there forwards to this machine; if not: ucdiscover.example.org. IN A 192.0.2.7',
      ],
    ],
  ])('%s', (_what, names, own, expected) => expect(lines(nameFindings(names, own))).toEqual(expected));
});

describe('the doctor, of certificates', () => {
  const now = new Date();

  async function pem(days: number, hosts: readonly string[], from = now): Promise<string> {
    const { cert } = await generate([{ name: 'commonName', value: 'test' }], {
      keyType: 'ec',
      notBeforeDate: new Date(from.getTime() - DAY_MS),
      notAfterDate: new Date(from.getTime() + days * DAY_MS),
      extensions: [{ name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2 as const, value })) }],
    });
    return cert;
  }

  /** Issued by another one, and alone in its file. */
  async function issued(): Promise<string> {
    const ca = await generate([{ name: 'commonName', value: 'An authority' }], { keyType: 'ec' });
    const { cert } = await generate([{ name: 'commonName', value: 'test' }], {
      keyType: 'ec',
      ca: { key: ca.private, cert: ca.cert },
      notBeforeDate: new Date(now.getTime() - DAY_MS),
      notAfterDate: new Date(now.getTime() + 90 * DAY_MS),
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2 as const, value: 'uc.example.org' }] }],
    });
    return cert;
  }

  const facts: Omit<CertificateFacts, 'pem'> = {
    file: '/etc/tls/cert.pem',
    isMadeHere: false,
    names: ['uc.example.org'],
    now,
    shown: undefined,
    authority: undefined,
  };

  const authority = { host: 'ca.example.org', isRunning: true };

  it('says that the first start makes one, or asks for one', () => {
    expect(lines(certificateFindings({ ...facts, pem: undefined }))).toEqual([
      'ok: it is made by the first start (TLS_CERT and TLS_KEY are not set)',
    ]);
    const asked = { ...facts, pem: undefined, authority: { ...authority, isRunning: false } };
    expect(lines(certificateFindings(asked))).toEqual([
      'ok: ca.example.org is asked for one by the start (ACME_DIRECTORY)',
    ]);
  });

  it.each<[string, () => Promise<string>, Partial<CertificateFacts>, readonly string[]]>([
    ['a good one', () => pem(90, ['uc.example.org']), {}, ['ok: valid until ']],
    [
      'one that expires soon',
      () => pem(10, ['uc.example.org']),
      {},
      ['→ renew it, and write it to /etc/tls/cert.pem: it is read again by itself'],
    ],
    [
      'one that has expired',
      () => pem(10, ['uc.example.org'], new Date(now.getTime() - 20 * DAY_MS)),
      {},
      ['problem: the certificate expired on '],
    ],
    [
      'one of tomorrow',
      () => pem(90, ['uc.example.org'], new Date(now.getTime() + 3 * DAY_MS)),
      {},
      ['problem: the certificate is not valid before '],
    ],
    [
      'one that lacks a name',
      () => pem(90, ['other.example.org']),
      {},
      ['problem: the certificate lacks uc.example.org → have it issued for these names as well'],
    ],
    ['one without those between it and the root', issued, {}, ['has one certificate, issued by CN=An authority']],
    [
      'one that is not what clients get',
      () => pem(90, ['uc.example.org']),
      { shown: 'AB:CD' },
      ['warning: clients still get another certificate than /etc/tls/cert.pem'],
    ],
    [
      'one that was made here',
      () => pem(90, ['uc.example.org']),
      { isMadeHere: true },
      ['warning: it was made here, so browsers warn about it; its fingerprint is '],
    ],
    [
      'one that was made here and lacks a name',
      () => pem(90, ['localhost']),
      { isMadeHere: true },
      ['problem: the certificate lacks uc.example.org → start it again: a new one is made'],
    ],
    [
      'one that an authority is asked for',
      () => pem(90, ['uc.example.org']),
      { isMadeHere: true, authority },
      ['warning: ca.example.org has been asked for one, and browsers warn until it is there → wait a minute'],
    ],
    [
      'one that an authority does not issue',
      () => pem(90, ['uc.example.org']),
      { isMadeHere: true, authority: { ...authority, reason: 'no such name', kind: 'dns' } },
      ['problem: there is no new certificate: no such name → add the name to its zone'],
    ],
    ['one of an authority that lasts a week', () => pem(6, ['uc.example.org']), { authority }, ['ok: valid until ']],
    [
      'one that an authority does not renew',
      () => pem(6, ['uc.example.org']),
      { authority: { ...authority, reason: 'later', kind: 'rateLimited' } },
      ['problem: there is no new certificate: later → wait: it is tried again when the authority allows it'],
    ],
  ])('finds %s', async (_what, make, change, expected) => {
    const found = lines(certificateFindings({ ...facts, ...change, pem: await make() }));
    expect(found).toEqual(expected.map((text) => expect.stringContaining(text)));
  });
});

describe('the doctor, of front ends', () => {
  const facts: FrontEndFacts = {
    isClosed: false,
    networks: ['192.0.2.0/24'],
    frontEnds: 2,
    refused: 0,
    unavailable: 0,
  };

  it.each<[string, Partial<FrontEndFacts>, string]>([
    ['two that post', {}, 'ok: 2 have posted records since the start'],
    ['a system that does not run', { frontEnds: undefined }, 'ok: the feed is open to them'],
    [
      'a closed feed',
      { isClosed: true },
      'warning: only programs of this machine may post records → COLLECTOR_ALLOW=192.0.2.0/24, with',
    ],
    ['none that has posted', { frontEnds: 0 }, 'warning: no front end has posted a record since the start'],
    ['rejected records', { refused: 3 }, 'warning: 3 records were rejected since the start → the reasons and bodies'],
    ['lost records', { unavailable: 1 }, 'warning: 1 records could not be stored since the start: they are lost'],
  ])('%s', (_what, change, expected) =>
    expect(lines(frontEndFindings({ ...facts, ...change }))).toEqual([expect.stringContaining(expected)]),
  );

  it('computes the networks of the machine', () => {
    const of = (address: string, netmask: string, internal = false, family: 'IPv4' | 'IPv6' = 'IPv4'): never =>
      ({ address, netmask, internal, family, mac: '', cidr: null, scopeid: 0 }) as never; // only these are read
    expect(
      networksOf({
        lo: [of('127.0.0.1', '255.0.0.0', true)],
        eth0: [of('192.0.2.77', '255.255.255.192'), of('2001:db8::1', 'ffff::', false, 'IPv6')],
        eth1: [of('10.1.2.3', '255.255.0.0'), of('10.1.9.9', '255.255.0.0')],
      }),
    ).toEqual(['192.0.2.64/26', '10.1.0.0/16']);
  });
});

describe('the doctor, of reachability and state', () => {
  const reach: ReachabilityFacts = { isWebClosed: false, origin: undefined, refusal: undefined, feedUrl: undefined };

  it.each<[string, Partial<ReachabilityFacts>, string]>([
    ['nothing to reach', {}, 'ok: '],
    ['a web interface for this machine alone', { isWebClosed: true }, 'LISTEN_HOST=0.0.0.0'],
    [
      'an origin that does not answer',
      { origin: 'https://uc.example.org', refusal: 'ETIMEDOUT' },
      'warning: https://uc.example.org (PUBLIC_ORIGIN) cannot be reached from here: ETIMEDOUT → open the port',
    ],
    [
      'a feed that others post to',
      { feedUrl: 'http://192.0.2.7:8080/' },
      "run on a front end: curl -i -X POST http://192.0.2.7:8080/ -H 'Content-Type: text/xml'",
    ],
  ])('%s', (_what, change, expected) =>
    expect(lines(reachabilityFindings({ ...reach, ...change }))).toEqual([expect.stringContaining(expected)]),
  );

  const state: StateFacts = {
    code: 0,
    lines: ['Ringdown is running and ready: process 5', '', '  nats   ok'],
    hasData: true,
    backupDays: 1,
    backups: '/srv/backups',
  };

  it.each<[string, Partial<StateFacts>, string]>([
    ['ready', {}, 'ok: it runs and is ready'],
    ['not running', { code: 3, lines: ['Ringdown is not running: no process uses /srv'] }, 'ok: it does not run'],
    [
      'crashed',
      { code: 3, lines: ['Ringdown is not running: …; process 5 has ended without a regular stop'] },
      'warning: Ringdown is not running: …; process 5 has ended without a regular stop → "npm start" starts it',
    ],
    [
      'not ready',
      {
        code: 1,
        lines: [
          'Ringdown is running and NOT ready: process 5',
          '',
          '  Console   https://h/',
          '  nats   ok',
          '  tables   the database is away',
        ],
      },
      'problem: Ringdown is running and NOT ready: process 5; tables   the database is away → "npm run status" shows each part',
    ],
    [
      'without a backup',
      { backupDays: undefined },
      'warning: there is no backup in /srv/backups → npm run backup, each night',
    ],
    ['with an old backup', { backupDays: 9 }, 'warning: the newest backup in /srv/backups is 9 days old'],
    ['without data to back up', { hasData: false, backupDays: undefined }, 'ok: it runs and is ready'],
  ])('%s', (_what, change, expected) =>
    expect(lines(stateFindings({ ...state, ...change }))).toEqual([expect.stringContaining(expected)]),
  );
});
