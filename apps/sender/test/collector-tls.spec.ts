import { readSettings } from '@ringdown/settings';
import { eventually, Started } from '@ringdown/testing';
import { defaultProfile } from '@ringdown/vendor-profile';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { collectorAccess } from '../src/delivery/collector-access.js';
import { collectorAddress } from '../src/delivery/collector-address.js';
import { FeedConnection, type Opening } from '../src/delivery/feed-connection.js';
import { senderSettings } from '../src/settings.js';
import { secondsToKeepAlive } from './keep-alive.js';
import { RecordingCollector } from './recording-collector.js';

interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

async function certificate(name: string): Promise<KeyPair> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] }];
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { keyType: 'ec', extensions });
  return { cert, key };
}

describe('a collector over TLS', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sender-tls-'));
  let server: KeyPair;
  let frontEnd: KeyPair;
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

  it('is believed when its certificate is, and asked as over plain HTTP', async () => {
    collector = started.add(await RecordingCollector.start(server));
    expect(await open({ SUBMIT_CA_FILE: file('ca.pem', server.cert) })).toMatchObject({ ok: true });
    expect(collector.received[0]).toMatchObject({ askedToContinue: true, path: '/Ringdown/GetConfiguration' });
    const seconds = await eventually('the timer', () => secondsToKeepAlive(Number(new URL(collector.url).port)));
    expect(seconds).toBeLessThanOrEqual(1.1);
  });

  it.each([
    ['nobody vouches for', {}, /self.signed certificate/],
    ['somebody else vouches for', { SUBMIT_CA_FILE: 'fe1' }, /self.signed certificate/],
  ])('gets nothing when it shows a certificate that %s', async (_who, env, reason) => {
    collector = started.add(await RecordingCollector.start(server));
    const opening = await open('SUBMIT_CA_FILE' in env ? { SUBMIT_CA_FILE: file('other.pem', frontEnd.cert) } : {});
    expect(opening).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(collector.received).toEqual([]);
  });

  it('gets nothing when its certificate has another name', async () => {
    collector = started.add(await RecordingCollector.start(server));
    const url = collector.url.replace('localhost', '127.0.0.1');
    const opening = await open({ SUBMIT_CA_FILE: file('ca.pem', server.cert) }, url);
    expect(opening).toMatchObject({ ok: false, reason: expect.stringContaining('127.0.0.1') });
  });

  it('may want to see a certificate of the front end', async () => {
    const asks = { requestCert: true, rejectUnauthorized: true, ca: frontEnd.cert };
    collector = started.add(await RecordingCollector.start({ ...server, ...asks }));
    const ca = { SUBMIT_CA_FILE: file('ca.pem', server.cert) };
    expect(await open(ca)).toMatchObject({ ok: false });
    const own = {
      SUBMIT_CLIENT_CERT: file('fe.crt', frontEnd.cert),
      SUBMIT_CLIENT_KEY: file('fe.key', frontEnd.key),
    };
    expect(await open({ ...ca, ...own })).toMatchObject({ ok: true });
  });

  it('is not asked with a certificate and the key of another', () => {
    const mixed = { SUBMIT_CLIENT_CERT: file('fe.crt', frontEnd.cert), SUBMIT_CLIENT_KEY: file('x.key', server.key) };
    expect(() => access(mixed)).toThrow('SUBMIT_CLIENT_KEY: no certificates and key: ');
  });

  it.each([
    [{ SUBMIT_CLIENT_CERT: 'x' }, 'need each other'],
    [{ SUBMIT_CA_FILE: '/nowhere' }, 'SUBMIT_CA_FILE cannot be read'],
    [{ SUBMIT_CA_FILE: '/dev/null' }, 'SUBMIT_CA_FILE: /dev/null holds no PEM'],
  ])('is not asked at all with %j', (env, message) => {
    expect(() => access(env)).toThrow(message);
  });
});
