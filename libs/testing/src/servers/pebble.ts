import { freePort } from '@ringdown/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { eventually } from '../eventually.js';
import { findProgram } from '../find-program.js';

const ADVICE = 'these tests need a real authority (Debian: apt-get install pebble)';

export interface PebbleOptions {
  /** Where it looks for answers to challenges: in place of 80 and 443. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Of certificates, seconds. */
  readonly lifetime?: number;
  /** Names that it does not certify. */
  readonly blocked?: readonly string[];
  /** It creates only accounts that are bound to this one. `hmacKey`: base64url. */
  readonly externalAccount?: { readonly kid: string; readonly hmacKey: string };
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A real authority of ACME, the test server of Let's Encrypt, with a name server of its own: every name is this machine. It rejects a tenth of
 * all nonces, as others do now and then.
 */
export class Pebble {
  /** What it has written. */
  output = '';
  private children: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly ports: { readonly directory: number; readonly management: number; readonly names: number },
    private readonly nameManagement: number,
    private readonly options: PebbleOptions,
  ) {}

  static async start(options: PebbleOptions): Promise<Pebble> {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-pebble-'));
    const ports = { directory: await freePort(), management: await freePort(), names: await freePort() };
    const made = new Pebble(folder, ports, await freePort(), options);
    await makeServerCertificate(folder);
    try {
      await made.run();
      return made;
    } catch (error) {
      await made.stop();
      throw error;
    }
  }

  get directory(): string {
    return `https://127.0.0.1:${this.ports.directory}/dir`;
  }

  /** Its own server's certificate. */
  get caFile(): string {
    return join(this.folder, 'server.pem');
  }

  /** Starts it, also again: accounts, orders and roots of before are forgotten. */
  async run(): Promise<void> {
    const { directory, management, names } = this.ports;
    const { httpPort, tlsPort, lifetime = 86_400, blocked = [], externalAccount, env } = this.options;
    const pebble = {
      listenAddress: `127.0.0.1:${directory}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: this.caFile,
      privateKey: join(this.folder, 'server-key.pem'),
      httpPort,
      tlsPort,
      externalAccountBindingRequired: externalAccount !== undefined,
      externalAccountMACKeys: externalAccount === undefined ? {} : { [externalAccount.kid]: externalAccount.hmacKey },
      domainBlocklist: blocked,
      certificateValidityPeriod: lifetime,
    };
    const file = join(this.folder, 'config.json');
    writeFileSync(file, JSON.stringify({ pebble }));
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
    const places = ['-dns01', `127.0.0.1:${names}`, '-management', `127.0.0.1:${this.nameManagement}`];
    this.spawn('pebble-challtestsrv', [...none, ...places]);
    this.spawn('pebble', ['-config', file, '-dnsserver', `127.0.0.1:${names}`], {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: '10',
      ...env,
    });
    for (const port of [directory, management, this.nameManagement])
      await eventually('the authority to listen', () => listens(port));
  }

  /** What its certificates are checked against. */
  root(): Promise<string> {
    return this.managed('/roots/0');
  }

  /** From now on every name has this address; none if it is empty. */
  async setAddressOfNames(ip: string): Promise<void> {
    const body = JSON.stringify({ ip });
    await fetch(`http://127.0.0.1:${this.nameManagement}/set-default-ipv4`, { method: 'POST', body });
  }

  /** How often it has written such a line. */
  lines(pattern: RegExp): number {
    return this.output.split('\n').filter((line) => pattern.test(line)).length;
  }

  /** Nobody answers until {@link run}. */
  async kill(): Promise<void> {
    await Promise.all(this.children.splice(0).map(ended));
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private spawn(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const child = spawn(findProgram(command, ADVICE), args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.output += chunk));
    this.children.push(child);
  }

  private async managed(path: string): Promise<string> {
    const ca = readFileSync(this.caFile);
    const sent = request({ host: '127.0.0.1', port: this.ports.management, path, ca });
    sent.end();
    const [response] = await once(sent, 'response');
    return text(response);
  }
}

async function makeServerCertificate(folder: string): Promise<void> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Pebble' }], {
    keyType: 'ec',
    extensions,
  });
  writeFileSync(join(folder, 'server.pem'), cert);
  writeFileSync(join(folder, 'server-key.pem'), key);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isUp: boolean): void => {
      socket.destroy();
      resolve(isUp);
    };
    socket.on('connect', () => end(true)).on('error', () => end(false));
  });
}
