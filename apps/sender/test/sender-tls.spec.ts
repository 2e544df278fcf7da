import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { readSettings } from '@ringdown/settings';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { collectorAddress, FeedConnection, type Opening } from '@ringdown/feed-client';
import { HepListener } from '../src/input/hep-listener.js';
import { runSettings } from '../src/run/run-settings.js';
import { SenderTls } from '../src/run/sender-tls.js';
import { certificate, writeCertificate } from '@ringdown/feed-client/test/certificates.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { request } from '@ringdown/call-capture/test/sip-messages.js';

const POLL_MS = 50;

describe('the certificates of a running sender', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sender-tls-'));

  function follow(env: Readonly<Record<string, string>>): SenderTls {
    const settings = readSettings(runSettings, { SUBMIT_URI: 'https://localhost', FRONT_END: 'fe1', ...env });
    const tls = new SenderTls(settings, quietLogger(), POLL_MS);
    started.add({ stop: () => Promise.resolve(tls.close()) });
    return tls;
  }

  afterEach(() => started.stopAll());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are read again for each connection to a collector', async () => {
    const [server, first, renewed] = [
      await certificate('localhost'),
      await certificate('fe1'),
      await certificate('fe1', [-1, 2]),
    ];
    const clientAuth = { requestCert: true, rejectUnauthorized: true, ca: renewed.cert };
    const collector = started.add(await RecordingCollector.start({ ...server, ...clientAuth }));
    const [SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY] = writeCertificate(folder, 'fe1', first);
    const [SUBMIT_CA_FILE] = writeCertificate(folder, 'ca', server);
    const tls = follow({ SUBMIT_CLIENT_CERT, SUBMIT_CLIENT_KEY, SUBMIT_CA_FILE }).collector;
    const open = async (): Promise<Opening> => {
      const address = collectorAddress(collector.url, defaultProfile);
      const connection = new FeedConnection({ tls, address, frontEnd: 'fe1', profile: defaultProfile });
      return connection.open().finally(() => connection.close());
    };
    expect(await open()).toMatchObject({ ok: false });
    writeFileSync(SUBMIT_CLIENT_KEY, 'nonsense');
    writeCertificate(folder, 'fe1', renewed);
    await eventually('an answer', async () => (await open()).ok);
  });

  it('are renewed for capture agents that connect over TLS', async () => {
    const [first, renewed] = [await certificate('localhost'), await certificate('localhost')];
    const [HEP_TLS_CERT, HEP_TLS_KEY] = writeCertificate(folder, 'hep', first);
    const { hep: pair } = follow({ HEP_TLS_PORT: '0', HEP_TLS_CERT, HEP_TLS_KEY });
    if (!pair) throw new Error('no certificate for HEP');
    let packets = 0;
    const listener = started.add(
      await HepListener.start({
        host: '127.0.0.1',
        port: 0,
        tls: { port: 0, pair },
        onPacket: () => packets++,
        onRejected: (_problem, message) => {
          throw new Error(message);
        },
      }),
    );
    const agent = async (ca: string): Promise<TLSSocket> => {
      const socket = connect({ port: listener.tlsPort, host: '127.0.0.1', ca, servername: 'localhost' });
      started.add({ stop: () => Promise.resolve(void socket.destroy()) });
      await once(socket, 'secureConnect');
      return socket;
    };
    const early = await agent(first.cert);
    early.write(writeHep({ payload: request('OPTIONS', { callId: 'one' }) }));
    await eventually('a packet', () => packets === 1);
    writeCertificate(folder, 'hep', renewed);
    const socket = await eventually('the renewed certificate', () => agent(renewed.cert).catch(() => undefined));
    socket.write(writeHep({ payload: request('OPTIONS', { callId: 'two' }) }));
    // An earlier agent keeps its connection.
    early.write(writeHep({ payload: request('OPTIONS', { callId: 'three' }) }));
    await eventually('two more packets', () => packets === 3);
    await expect(agent(first.cert)).rejects.toThrow('certificate');
  });
});
