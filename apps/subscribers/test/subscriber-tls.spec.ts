import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { Receiver } from './receiver.js';
import { RunningSubscribers } from './running-subscribers.js';

const RECORD = `<Diagnostics Version="D"><ConnectionInfo><CallId>secure</CallId></ConnectionInfo>
<Start Type="audio"><From><Id>a</Id></From><To><Id>b</Id></To></Start></Diagnostics>`;

interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate. */
async function certificate(name: string): Promise<KeyPair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  return { cert, key };
}

describe('a subscriber over HTTPS', () => {
  const started = new Started();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-subscriber-tls-'));
  let service: RunningSubscribers;
  let receiver: Receiver;
  let files: { readonly cafile: string; readonly clientcertificate: string; readonly clientkey: string };

  function file(name: string, text: string): string {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  }

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const [theirs, ours] = await Promise.all([certificate('localhost'), certificate('subscribers.example.test')]);
    receiver = started.add(await Receiver.start(0, { ...theirs, ca: ours.cert, requestCert: true }));
    service = await RunningSubscribers.open(nats.url);
    started.add({ stop: () => service.end() });
    files = {
      cafile: file('ca.pem', theirs.cert),
      clientcertificate: file('own.pem', ours.cert),
      clientkey: file('own.key', ours.key),
    };
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true });
  });

  it('gets requests with the required client certificate, and none without it or if its own is not trusted', async () => {
    const { cafile, ...own } = files;
    const { url: submituri } = receiver;
    await service.start(
      { name: 'good', submituri, hidepii: false, ...files },
      { name: 'nameless', submituri, hidepii: false, cafile },
      { name: 'untrusted', submituri, hidepii: false, ...own },
    );
    await service.publish(RECORD);
    const failing = (name: string): Promise<number | undefined> =>
      service.metric(`ringdown_subscriber_failing{subscriber="${name}"}`);
    for (const name of ['nameless', 'untrusted'])
      await eventually(`the failure of ${name}`, async () => (await failing(name)) === 1);
    await eventually('the record', () => receiver.received.length > 0);
    expect(receiver.received).toHaveLength(1);
    expect(await failing('good')).toBe(0);
  });
});
