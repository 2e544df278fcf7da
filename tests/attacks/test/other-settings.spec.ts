import { directorySettingsFor } from '@ringdown/testing/directory-access';
import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FeedConnection } from '../src/feed-connection.js';
import { runningSystem } from '../src/running-system.js';

const PEOPLE = 20;
const OPERATOR = 'p5@example.test';
const SUBJECT = 'CN=fe1.example.test';

/** A spelling that no one types, and that a directory accepts as the same name. */
const SPELLINGS = ['p', 'P', 'ｐ', 'Ｐ', 'ⓟ', 'Ⓟ', 'ℙ', 'ᵖ'].flatMap((letter) =>
  ['7', '７', '⑦'].map((digit) => letter + digit),
);
const GUESSES = 10;

/** Front ends connect through a balancer, with certificates; people come from a directory. */
let directory: TestDirectory;
let secureFeedPort: number;
beforeAll(async () => {
  directory = await startSlapd({ entries: staff(PEOPLE) });
  secureFeedPort = await freePort();
});
afterAll(() => directory.stop());

const system = runningSystem((data) => {
  makeCertificate(data);
  return {
    ...directorySettingsFor(directory.url),
    DIRECTORY_OPERATORS_FILTER: '(uid=p5)',
    LISTEN_HOST: '0.0.0.0',
    COLLECTOR_HTTPS_PORT: String(secureFeedPort),
    // A self-signed certificate is its own authority.
    COLLECTOR_CLIENT_CA: join(data, 'front-end.crt'),
    COLLECTOR_PROXY_PROTOCOL: 'on',
  };
});

/** `front-end.crt` and `front-end.key`. */
function makeCertificate(folder: string): void {
  const [key, certificate] = [join(folder, 'front-end.key'), join(folder, 'front-end.crt')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const what = ['-subj', '/CN=fe1.example.test', '-days', '2', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', ...kind, ...what], { stdio: 'pipe' });
}

function startXml(callId: string): string {
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd><CallId>${callId}</CallId><CSEQ>1</CSEQ>
</ConnectionInfo><StartOrUpdate Type="audio"><From><URI>sip:alice@example.test</URI></From>
<To><URI>sip:bob@example.test</URI></To><Properties/></StartOrUpdate></Diagnostics>`;
}

function proxyProtocolLine(address: string): string {
  return `PROXY TCP4 ${address} 198.51.100.1 40000 8080\r\n`;
}

async function postOver(connection: FeedConnection, callId: string): Promise<number> {
  try {
    return (await connection.post(startXml(callId))).status;
  } finally {
    connection.end();
  }
}

/** The status of a record that a balancer forwards for this address, to an address of this machine. */
async function statusFor(address: string, callId: string, to?: string): Promise<number> {
  const connection = await FeedConnection.open(system.feedPort, to === undefined ? {} : { to });
  connection.send(proxyProtocolLine(address));
  return postOver(connection, callId);
}

describe('the feed of a system with a configured authority for its front ends', () => {
  let operator: string;
  beforeAll(async () => {
    operator = await system.client.signInAs(OPERATOR, 'password of p5');
  });

  async function senderOf(callId: string): Promise<unknown> {
    const text = await eventually(callId, async () => {
      const answer = await system.client.as(operator, `/api/calls/${callId}`);
      return answer.status === 200 && answer.text;
    });
    const { records } = Object(JSON.parse(text));
    return records.map((sent: object) => {
      const { remoteAddress, certificateSubject }: Record<string, unknown> = { ...sent };
      return [remoteAddress, certificateSubject];
    });
  }

  it('is reachable from other machines', async () => {
    // A server that listens only on 127.0.0.1 does not respond here.
    expect(await statusFor('192.168.7.1', 'reached', '127.0.0.2')).toBe(200);
    expect(system.process.stdout()).not.toContain('only for this machine');
  });

  it('rejects a record of a public address without a certificate', async () => {
    expect(await statusFor('203.0.113.7', 'public')).toBe(403);
    expect(await statusFor('192.168.7.1', 'private')).toBe(200);
  });

  it('stores with each record the address that the balancer reports, and the subject of the certificate', async () => {
    expect(await statusFor('192.168.7.2', 'balanced')).toBe(200);
    const [cert, key] = ['crt', 'key'].map((kind) => readFileSync(join(system.data, `front-end.${kind}`), 'utf8'));
    const own = { ca: system.ca, cert: cert ?? '', key: key ?? '' };
    const secure = await FeedConnection.openSecure(secureFeedPort, own, proxyProtocolLine('203.0.113.8'));
    expect(await postOver(secure, 'certified')).toBe(200);
    expect(await senderOf('balanced')).toEqual([['192.168.7.2', null]]);
    expect(await senderOf('certified')).toEqual([['203.0.113.8', SUBJECT]]);
  });
});

describe('an attacker who guesses passwords of a directory', () => {
  it('has ten guesses for an entry over all spellings of its name that the directory accepts', async () => {
    const statuses: number[] = [];
    for (const name of SPELLINGS) {
      const { status } = await system.client.requestToken(`${name}@example.test`, 'wrong');
      statuses.push(status);
    }
    expect(statuses).toEqual(SPELLINGS.map((_name, at) => (at < GUESSES ? 400 : 429)));
    expect((await system.client.requestToken('p7@example.test', 'password of p7')).status).toBe(429);
    expect((await system.client.requestToken('p8@example.test', 'password of p8')).status).toBe(200);
  });
});

describe('certificates of a feed without HTTPS', () => {
  it.each(['COLLECTOR_CLIENT_CA', 'COLLECTOR_TLS_CERT'])('stop the start with an error for %s', async (name) => {
    const data = mkdtempSync(join(tmpdir(), 'ringdown-attack-'));
    const file = join(system.data, 'front-end.crt');
    const refused = launch({ ...(await freePorts()), DATA_DIR: data, [name]: file });
    try {
      await expect(running(refused)).rejects.toThrow(`${name} has no effect without COLLECTOR_HTTPS_PORT`);
    } finally {
      await refused.stop();
      rmSync(data, { recursive: true });
    }
  });
});
