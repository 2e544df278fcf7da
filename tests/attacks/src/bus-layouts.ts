import {
  BUS_USER_NAMES,
  findNatsServer,
  freePort,
  keyVariable,
  listening,
  makeBusKeys,
  natsConfig,
  type BusKeys,
} from '@ringdown/testing/embedded-servers';
import { launchCluster, type ClusterServer } from '@ringdown/testing/servers/launch-cluster';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of which the bus is made: those of the embedded server, of compose, and of a cluster. */
export const LAYOUTS = ['embedded', 'compose', 'cluster'] as const;
export type Layout = (typeof LAYOUTS)[number];

const deploy = join(import.meta.dirname, '../../../../deploy');
const JUDGE_PASSWORD = 'judge';

/** A bus as it is deployed, with a judge beside the services: a user with all permissions in each account with streams. */
export interface DeployedBus {
  readonly port: number;
  readonly keys: BusKeys;
  readonly replicas: number;
  stop(): Promise<void>;
}

/** The judge of an account. */
export function judgeOf(account: string): { readonly name: string; readonly password: string } {
  return { name: `judge-${account}`, password: JUDGE_PASSWORD };
}

export async function startLayout(layout: Layout): Promise<DeployedBus> {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-layout-'));
  const keys = makeBusKeys();
  const ports = await Promise.all(Array.from({ length: layout === 'cluster' ? 3 : 1 }, () => freePort()));
  const routes = await Promise.all(ports.map(() => freePort()));
  const servers: LayoutServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const program = await findNatsServer();
    if (program === undefined) throw new Error('nats-server 2.10 or later was not found');
    for (const [n, port] of ports.entries()) {
      const own = join(folder, String(n));
      const config = layout === 'embedded' ? embedded(own, port, keys) : deployed(layout, own, port, routes[n] ?? 0);
      servers.push(new LayoutServer([program.command, '--config', config], environment(keys, routes, n), port));
    }
    const login = { user: judgeOf('FEED').name, pass: JUDGE_PASSWORD };
    if (layout === 'cluster')
      await launchCluster(servers, { ...login, servers: ports.map((port) => `127.0.0.1:${port}`) });
    else for (const server of servers) await server.launch();
    return { port: ports[0] ?? 0, keys, replicas: ports.length, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class LayoutServer implements ClusterServer {
  private child: ChildProcess | undefined;

  constructor(
    private readonly command: readonly [string, ...string[]],
    private readonly env: Readonly<Record<string, string>>,
    private readonly port: number,
  ) {}

  async launch(): Promise<void> {
    const [program, ...args] = this.command;
    this.child = spawn(program, args, { env: { ...process.env, ...this.env }, stdio: 'ignore' });
    await listening(this.port);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}

/** As `npm start` writes it. */
function embedded(folder: string, port: number, keys: BusKeys): string {
  const lines = [`jetstream { store_dir: ${JSON.stringify(join(folder, 'data'))} }`];
  const text = natsConfig({ listen: `127.0.0.1:${port}`, keys, password: undefined, lines });
  return write(folder, 'nats.conf', withJudges(text));
}

/** The files of deploy with other ports and another folder. */
function deployed(layout: Layout, folder: string, port: number, route: number): string {
  const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');
  const bus = read('bus/nats.conf')
    .replace('port: 4222', `listen: "127.0.0.1:${port}"`)
    .replace('http: "127.0.0.1:8222"', '')
    .replace('"/data"', JSON.stringify(join(folder, 'data')));
  write(join(folder, 'ringdown'), 'users.conf', withJudges(read('bus/users.conf')));
  const config = write(join(folder, 'ringdown'), 'nats.conf', bus);
  if (layout === 'compose') return config;
  const cluster = read('cluster/nats.conf').replace('port: 6222', `listen: "127.0.0.1:${route}"`);
  return write(join(folder, 'cluster'), 'nats.conf', cluster);
}

function environment(keys: BusKeys, routes: readonly number[], n: number): Record<string, string> {
  const services = BUS_USER_NAMES.map((name) => [keyVariable(name), keys[name].publicKey]);
  const others = routes.map((route, i) => [`NATS_ROUTE_${i + 1}`, `nats://cluster:secret@127.0.0.1:${route}`]);
  const own = { NATS_SERVER_NAME: `nats-${n}`, NATS_CLUSTER_PASSWORD: 'secret' };
  return { ...Object.fromEntries([...services, ...others]), ...own };
}

function withJudges(text: string): string {
  return ['FEED', 'PEOPLE'].reduce((config, account) => {
    const users = `${account} {\njetstream: enabled\nusers: [\n`;
    if (!config.includes(users)) throw new Error(`the configuration has no account ${account} with JetStream`);
    return config.replace(users, `${users}{ user: ${judgeOf(account).name}, password: ${JUDGE_PASSWORD} }\n`);
  }, text);
}

function write(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
