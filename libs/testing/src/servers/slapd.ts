import { freePort, listening } from '@ringdown/embedded';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { findProgram } from '../find-program.js';
import { DIRECTORY_SUFFIX, type LdifEntry, ldifLines } from '../ldif.js';

export interface SlapdOptions {
  /** The entries below its suffix, parents first. */
  readonly entries: Iterable<LdifEntry>;
  /** How many entries {@link SERVICE_DN} may read, in the syntax of `limits` in slapd.conf; if left out: all. */
  readonly limits?: string;
  /** The indexes, in the syntax of `index` in slapd.conf. */
  readonly indexes?: readonly string[];
  /** More lines before the database, such as attribute types of another product. */
  readonly schema?: readonly string[];
  /** Overlays of the database, such as `ppolicy`, each with its module. */
  readonly overlays?: readonly string[];
  /** PEM files; the directory then also listens with TLS and offers StartTLS. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

/** A real OpenLDAP server for one test file. Only {@link SERVICE_DN} may read it. */
export interface TestDirectory {
  /** `ldap://127.0.0.1:port` */
  readonly url: string;
  /** `ldaps://localhost:port`; empty without `tls`. */
  readonly tlsUrl: string;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  /** Restarts it at the same address with its entries. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const SERVICE_DN = `cn=ringdown,${DIRECTORY_SUFFIX}`;
export const SERVICE_PASSWORD = 'service secret';
/** May write, too. */
export const ADMIN_DN = `cn=admin,${DIRECTORY_SUFFIX}`;
export const ADMIN_PASSWORD = 'admin secret';

const INDEXES = ['objectClass,uid,mail,entryUUID,modifyTimestamp eq'];
const run = promisify(execFile);

/**
 * Starts OpenLDAP's slapd with its own mdb database in a temporary folder. It is always a process of this machine, also
 * when the other servers run in containers. Throws an Error that explains how to get slapd if it is missing: no test is
 * skipped for it.
 */
export async function startSlapd(options: SlapdOptions): Promise<TestDirectory> {
  const commands = { slapd: find('slapd'), slapadd: find('slapadd') };
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-slapd-'));
  const config = join(folder, 'slapd.conf');
  mkdirSync(join(folder, 'db'));
  writeFileSync(config, configuration(folder, options).join('\n'), { mode: 0o600 });
  const ldif = join(folder, 'entries.ldif');
  await pipeline(Readable.from(ldifLines(withAccounts(options.entries))), createWriteStream(ldif));
  await run(commands.slapadd, ['-q', '-f', config, '-l', ldif]);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const urls = [`ldap://127.0.0.1:${port}`, ...(options.tls ? [`ldaps://127.0.0.1:${tlsPort}`] : [])];
  let child = await launch(commands.slapd, config, urls, port);
  return {
    url: `ldap://127.0.0.1:${port}`,
    tlsUrl: options.tls ? `ldaps://localhost:${tlsPort}` : '',
    kill: () => end(child, 'SIGKILL'),
    restart: async () => {
      child = await launch(commands.slapd, config, urls, port);
    },
    stop: async () => {
      await end(child, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function find(command: string): string {
  const advice = 'these tests need a real OpenLDAP server. Install it (Debian: apt-get install slapd; it need not run)';
  return findProgram(command, `${advice} or put it on the PATH`);
}

function configuration(
  folder: string,
  { limits = 'size=unlimited', indexes = INDEXES, schema = [], overlays = [], tls }: SlapdOptions,
): string[] {
  const known = ['core', 'cosine', 'inetorgperson', 'nis'];
  return [
    ...known.map((name) => `include /etc/ldap/schema/${name}.schema`),
    ...schema,
    ...(existsSync('/usr/lib/ldap')
      ? ['modulepath /usr/lib/ldap', 'moduleload back_mdb', ...overlays.map((name) => `moduleload ${name}`)]
      : []),
    ...(tls ? [`TLSCertificateFile ${tls.certFile}`, `TLSCertificateKeyFile ${tls.keyFile}`] : []),
    'database mdb',
    `suffix "${DIRECTORY_SUFFIX}"`,
    `rootdn "${ADMIN_DN}"`,
    `rootpw "${ADMIN_PASSWORD}"`,
    `directory ${join(folder, 'db')}`,
    'maxsize 4294967296',
    'dbnosync',
    ...indexes.map((index) => `index ${index}`),
    'access to attrs=userPassword by anonymous auth by * none',
    `access to * by dn.exact="${SERVICE_DN}" read by * none`,
    `limits dn.exact="${SERVICE_DN}" ${limits}`,
    ...overlays.map((name) => `overlay ${name}`),
    '',
  ];
}

function* withAccounts(entries: Iterable<LdifEntry>): Generator<LdifEntry> {
  yield { dn: DIRECTORY_SUFFIX, objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' };
  yield {
    dn: SERVICE_DN,
    objectClass: ['organizationalRole', 'simpleSecurityObject'],
    cn: 'ringdown',
    userPassword: SERVICE_PASSWORD,
  };
  yield* entries;
}

async function launch(command: string, config: string, urls: string[], port: number): Promise<ChildProcess> {
  // `-d 0` keeps it in the foreground, as our child.
  const child = spawn(command, ['-d', '0', '-f', config, '-h', urls.join(' ')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`slapd ended at start: ${output.trim()}`);
  });
  ended.catch(() => undefined);
  await Promise.race([listening(port), ended]);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
