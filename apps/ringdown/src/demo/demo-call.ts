import type { Environment } from '@ringdown/settings';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
  const collector = env['COLLECTOR_URL'] || collectorOfThisMachine(env);
  // The system of this machine also gets the alert rules of the demo, and its sites where nobody has named others.
  const sites = env['SITES_FILE'] ? [] : ['--sites', join(data, 'sites.json')];
  const operator = env['COLLECTOR_URL'] || users === undefined ? [] : ['--origin', origin, '--users', users, ...sites];
  return {
    args: names('--to') ? given : [...given, '--to', collector, ...operator],
    env: certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate },
    origin,
    vendorProfile: env['VENDOR_PROFILE'] || 'default',
    users,
    certificate,
    isForPeople: !['--json', '--help', '-h'].some(names),
  };
}

function collectorOfThisMachine(env: Environment): string {
  const port = env['COLLECTOR_PORT'];
  return port ? `http://localhost:${port}` : DEFAULT_COLLECTOR;
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined;
}
