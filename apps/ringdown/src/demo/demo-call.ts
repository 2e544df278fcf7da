import type { Environment } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sharedFiles } from '../host/feed-certificate.js';

/** How the demo is called for a system, and what of the system is told afterwards. */
export interface DemoCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly vendorProfile: string;
  /** The file with the first users; undefined if there is none. */
  readonly users: string | undefined;
  /** The certificate that is made at the first start; undefined if there is none. */
  readonly certificate: string | undefined;
  /** Whether its output is read by people. */
  readonly isForPeople: boolean;
}

const DEFAULT_COLLECTOR = 'http://localhost:8080';

/** Adds the addresses of the system of this machine to what was given on the command line. */
export function demoCall(given: readonly string[], env: Environment): DemoCall {
  const names = (option: string): boolean => given.some((word) => word === option || word.startsWith(`${option}=`));
  const data = resolve(env['DATA_DIR'] || 'data');
  const origin = `https://localhost:${env['PORT'] || 8443}`;
  const users = existing(join(data, 'first-users.json'));
  const certificate = existing(join(data, 'tls', 'cert.pem'));
  const own = ownFeed(env, join(data, 'tls'));
  const collector = env['COLLECTOR_URL'] || own.url;
  const isOwn = !names('--to') && !env['COLLECTOR_URL'];
  // The system of this machine also gets the alert rules of the demo, and its sites where nobody has named others.
  const sites = env['SITES_FILE'] ? [] : ['--sites', join(data, 'sites.json')];
  const operator = env['COLLECTOR_URL'] || users === undefined ? [] : ['--origin', origin, '--users', users, ...sites];
  return {
    args: names('--to') ? given : [...given, '--to', collector, ...operator],
    env: {
      ...(certificate !== undefined && { NODE_EXTRA_CA_CERTS: certificate }),
      ...(isOwn && own.certificate !== undefined && { SUBMIT_PINNED_CERT: own.certificate }),
    },
    origin,
    vendorProfile: env['VENDOR_PROFILE'] || 'default',
    users,
    certificate,
    isForPeople: !['--json', '--help', '-h'].some(names),
  };
}

interface OwnFeed {
  readonly url: string;
  /** The file by which it is known, as it need not name this machine; undefined over plain HTTP. */
  readonly certificate?: string | undefined;
}

/** `folder`: of certificates. */
function ownFeed(env: Environment, folder: string): OwnFeed {
  const { COLLECTOR_PORT: port, COLLECTOR_HTTPS_PORT: httpsPort, COLLECTOR_PLAIN_HTTP: plainHttp } = env;
  if (plainHttp !== 'off' || !httpsPort) return { url: port ? `http://localhost:${port}` : DEFAULT_COLLECTOR };
  const { COLLECTOR_TLS_CERT: own, TLS_CERT, TLS_KEY, ACME_DIRECTORY } = env;
  const files = { certFile: TLS_CERT || undefined, keyFile: TLS_KEY || undefined, folder };
  const { cert } = sharedFiles({ ...files, hasAuthority: Boolean(ACME_DIRECTORY) });
  return { url: `https://localhost:${httpsPort}`, certificate: own || cert };
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}
