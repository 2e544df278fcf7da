import { readSettings } from '@ringdown/settings';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectorAccess } from '../src/collector-access.js';
import { collectorAddress } from '../src/collector-address.js';
import { FeedConnection, type Opening } from '../src/feed-connection.js';
import { senderSettings } from '../src/settings.js';
import { authority, certificate, type Certificate } from './certificates.js';
import { secondsToKeepAlive } from './keep-alive.js';
import { RecordingCollector } from './recording-collector.js';

/** As `fullchain.pem` has it. */
async function issuedBy(issuer: Certificate): Promise<Certificate> {
  const { cert, key } = await certificate('uc.example.org', undefined, issuer);
  return { key, cert: `${cert}\n${issuer.cert}` };
}

describe('a collector over TLS', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sender-tls-'));
  let server: Certificate;
  let frontEnd: Certificate;
  let collector: RecordingCollector;

  function file(name: string, text: string): string {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  function access(env: Readonly<Record<string, string>>): ReturnType<typeof collectorAccess> {
    return collectorAccess(readSettings(senderSettings, env));
  }

  async function open(env: Readonly<Record<string, string>>, url = collector.url): Promise<Opening> {
    const address = collectorAddress(url, defaultProfile);
    const connection = new FeedConnection({ ...access(env), address, frontEnd: 'fe1', profile: defaultProfile });
    started.add({ stop: () => Promise.resolve(connection.close()) });
    return connection.open();
  }

  beforeAll(async () => {
    [server, frontEnd] = [await certificate('localhost'), await certificate('fe1')];
  });

  afterEach(() => started.stopAll());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is accepted with a trusted certificate, and gets the same requests as over plain HTTP', async () => {
    collector = started.add(await RecordingCollector.start(server));
    expect(await open({ SUBMIT_CA_FILE: file('ca.pem', server.cert) })).toMatchObject({ ok: true });
    expect(collector.received[0]).toMatchObject({ askedToContinue: true, path: '/Ringdown/GetConfiguration' });
    const seconds = await eventually('the timer', () => secondsToKeepAlive(Number(new URL(collector.url).port)));
    expect(seconds).toBeLessThanOrEqual(1.1);
  });

  it.each([
    ['is self-signed', {}, /not trusted \(self.signed certificate\): .* SUBMIT_CA_FILE$/],
    ['another authority signed', { SUBMIT_CA_FILE: 'fe1' }, /not trusted .* SUBMIT_CA_FILE$/],
  ])('gets no request with a certificate that %s', async (_who, env, reason) => {
    collector = started.add(await RecordingCollector.start(server));
    const opening = await open('SUBMIT_CA_FILE' in env ? { SUBMIT_CA_FILE: file('other.pem', frontEnd.cert) } : {});
    expect(opening).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(collector.received).toEqual([]);
  });

  it('gets no request if its certificate has another name', async () => {
    collector = started.add(await RecordingCollector.start(server));
    const url = collector.url.replace('localhost', '127.0.0.1');
    const opening = await open({ SUBMIT_CA_FILE: file('ca.pem', server.cert) }, url);
    expect(opening).toEqual({
      ok: false,
      reason:
        'the certificate of the collector is not for 127.0.0.1 but for localhost: use one of its names as the address',
    });
  });

  it('is accepted by its pinned certificate, whatever names and authority that has', async () => {
    const issued = await issuedBy(await authority());
    collector = started.add(await RecordingCollector.start(issued));
    // The key of the collector may be in the same file, and certificates that it had before.
    const pinned = file('pinned.pem', `${issued.key}\n${issued.cert}\n${server.cert}`);
    expect(await open({ SUBMIT_PINNED_CERT: pinned })).toMatchObject({ ok: true });
  });

  it.each([
    ['authorities of the same name', async () => issuedBy(await authority())],
    ['the same name, without authorities', () => certificate('localhost')],
  ])('is accepted by each of two pinned certificates with %s', async (_what, made) => {
    const both = [await made(), await made()] as const;
    const pinned = file('pinned.pem', both.map(({ cert }) => cert).join('\n'));
    for (const each of both) {
      collector = started.add(await RecordingCollector.start(each));
      expect(await open({ SUBMIT_PINNED_CERT: pinned })).toMatchObject({ ok: true });
    }
  });

  it('gets no request with another certificate than the pinned one, even of the same name and authority', async () => {
    const issuer = await authority();
    const [pinned, other] = [
      await certificate('localhost', undefined, issuer),
      await certificate('localhost', undefined, issuer),
    ];
    collector = started.add(await RecordingCollector.start(other));
    const opening = await open({
      SUBMIT_PINNED_CERT: file('pinned.pem', `${pinned.cert}\n${issuer.cert}`),
      SUBMIT_CA_FILE: file('ca.pem', issuer.cert),
    });
    expect(opening).toEqual({
      ok: false,
      reason: 'the collector does not have the certificate in SUBMIT_PINNED_CERT: was it renewed?',
    });
    expect(collector.received).toEqual([]);
  });

  it.each([
    ['has expired', [-2, -1] as const, 'has expired: renew it'],
    ['is not valid yet', [1, 2] as const, 'is not valid yet: is the clock of this machine right?'],
  ])('gets no request if its certificate %s', async (_how, days, reason) => {
    const odd = await certificate('localhost', days);
    collector = started.add(await RecordingCollector.start(odd));
    const opening = await open({ SUBMIT_CA_FILE: file('ca.pem', odd.cert) });
    expect(opening).toEqual({ ok: false, reason: `the certificate of the collector ${reason}` });
  });

  it('is distinguished from a server without TLS', async () => {
    collector = started.add(await RecordingCollector.start());
    const opening = await open({}, collector.url.replace('http:', 'https:'));
    expect(opening).toEqual({
      ok: false,
      reason: 'the port does not use TLS: should the address begin with http:// instead of https://?',
    });
  });

  it('gets the client certificate of the front end if it requires one', async () => {
    const clientAuth = { requestCert: true, rejectUnauthorized: true, ca: frontEnd.cert };
    collector = started.add(await RecordingCollector.start({ ...server, ...clientAuth }));
    const ca = { SUBMIT_CA_FILE: file('ca.pem', server.cert) };
    expect(await open(ca)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/certificate.*SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY/),
    });
    const foreign = await certificate('fe1');
    const refused = {
      SUBMIT_CLIENT_CERT: file('foreign.crt', foreign.cert),
      SUBMIT_CLIENT_KEY: file('foreign.key', foreign.key),
    };
    expect(await open({ ...ca, ...refused })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/not accept the certificate in SUBMIT_CLIENT_CERT/),
    });
    const own = {
      SUBMIT_CLIENT_CERT: file('fe.crt', frontEnd.cert),
      SUBMIT_CLIENT_KEY: file('fe.key', frontEnd.key),
    };
    expect(await open({ ...ca, ...own })).toMatchObject({ ok: true });
  });

  it('is not used with a certificate and the key of another', () => {
    const mixed = { SUBMIT_CLIENT_CERT: file('fe.crt', frontEnd.cert), SUBMIT_CLIENT_KEY: file('x.key', server.key) };
    expect(() => access(mixed)).toThrow(
      `SUBMIT_CLIENT_KEY: ${join(folder, 'x.key')} is not the key of the certificate in SUBMIT_CLIENT_CERT`,
    );
  });

  it.each([
    ['has expired', [-2, -1] as const, /^SUBMIT_CLIENT_CERT: the certificate in \S+ expired on .+ GMT$/],
    ['is not valid yet', [1, 2] as const, /^SUBMIT_CLIENT_CERT: the certificate in \S+ is not valid before .+ GMT$/],
  ])('is not used with a client certificate that %s', async (_how, days, message) => {
    const { cert, key } = await certificate('fe1', days);
    const env = { SUBMIT_CLIENT_CERT: file('odd.crt', cert), SUBMIT_CLIENT_KEY: file('odd.key', key) };
    expect(() => access(env)).toThrow(message);
  });

  it('is not used with damaged certificate and key files', () => {
    const junk = file('junk.pem', '-----BEGIN CERTIFICATE-----\njunk\n-----END CERTIFICATE-----\n');
    const good = { SUBMIT_CLIENT_CERT: file('fe.crt', frontEnd.cert), SUBMIT_CLIENT_KEY: file('fe.key', frontEnd.key) };
    expect(() => access({ ...good, SUBMIT_CLIENT_CERT: junk })).toThrow('SUBMIT_CLIENT_CERT: ');
    expect(() => access({ ...good, SUBMIT_CLIENT_KEY: junk })).toThrow('SUBMIT_CLIENT_KEY: ');
    expect(() => access({ SUBMIT_CA_FILE: junk })).toThrow('SUBMIT_CA_FILE: ');
    expect(() => access({ SUBMIT_PINNED_CERT: junk })).toThrow('SUBMIT_PINNED_CERT: ');
    expect(() => access({ SUBMIT_PINNED_CERT: good.SUBMIT_CLIENT_KEY })).toThrow('SUBMIT_PINNED_CERT: ');
  });

  it.each([
    [{ SUBMIT_CLIENT_CERT: 'x' }, 'must be set together'],
    [{ SUBMIT_CA_FILE: '/nowhere' }, 'SUBMIT_CA_FILE cannot be read'],
    [{ SUBMIT_CA_FILE: '/dev/null' }, 'SUBMIT_CA_FILE: /dev/null contains no PEM data'],
  ])('is not used with %j', (env, message) => {
    expect(() => access(env)).toThrow(message);
  });
});
