import { freePort, listening } from '@ringdown/embedded';
import {
  ALL_POWERFUL,
  ALL_POWERFUL_PEOPLE,
  findNatsServer,
  makeBusKeys,
  natsConfig,
  natsUrl,
  type BusKeys,
  type BusUserName,
} from '@ringdown/embedded/bus';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUS_PASSWORD } from '../bus-password.js';
import { launchCluster, type ClusterServer } from './launch-cluster.js';

const NODES = ['one', 'two', 'three'] as const;

/** Where one server runs. */
export interface ServerSeat {
  readonly host: string;
  /** Where it keeps its files; left out: in a folder of the cluster. */
  readonly folder?: string;
  spawn(command: string, args: readonly string[]): ChildProcess;
}

const HERE: ServerSeat = {
  host: '127.0.0.1',
  spawn: (command, args) => spawn(command, [...args], { stdio: 'ignore' }),
};

/** Three nats-servers that replicate streams, with a process each, for one test file. */
export class NatsCluster {
  private constructor(
    private readonly folder: string,
    private readonly nodes: readonly ClusterNode[],
  ) {}

  /** `seats`: of servers by their names; the others run here. */
  static async start(seats: Readonly<Record<string, ServerSeat>> = {}): Promise<NatsCluster> {
    const program = await findNatsServer();
    if (program === undefined) throw new Error('nats-server 2.10 or later was not found');
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-cluster-'));
    const keys = makeBusKeys();
    const nodes: ClusterNode[] = [];
    for (const name of NODES) {
      nodes.push(new ClusterNode(name, program.command, folder, await portsOfNode(), seats[name] ?? HERE));
    }
    const cluster = new NatsCluster(folder, nodes);
    try {
      const routes = nodes.map(({ seat, ports }) => `${seat.host}:${ports.route}`);
      for (const node of nodes) node.configure(keys, routes);
      const servers = nodes.map(({ seat, ports }) => `${seat.host}:${ports.client}`);
      await launchCluster(nodes, { servers, user: ALL_POWERFUL, pass: BUS_PASSWORD });
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get names(): readonly string[] {
    return NODES;
  }

  /** For the test itself, with all permissions. */
  get url(): string {
    return this.urlAt('one');
  }

  /** As {@link url}, but in the account of people. */
  get peopleUrl(): string {
    return this.urlFor(ALL_POWERFUL_PEOPLE, 'one');
  }

  /** As {@link url}, but naming all servers. */
  get urls(): string {
    return this.nodes.map(({ name }) => this.urlAt(name)).join(',');
  }

  /** As {@link url}, but of one server. */
  urlAt(name: string): string {
    return this.urlFor(ALL_POWERFUL, name);
  }

  /** For a service under test, with the permissions of production; it names all servers. */
  urlOf(service: BusUserName): string {
    return this.nodes.map(({ name }) => this.urlFor(service, name)).join(',');
  }

  /** Ends one server like a crash; acknowledged messages are kept. */
  kill(name: string): Promise<void> {
    return this.node(name).kill();
  }

  /** Restarts a killed server at the same address with its data. */
  restart(name: string): Promise<void> {
    return this.node(name).launch();
  }

  /** Stops one server without closing its connections, as a network that drops its packets would do. */
  hang(name: string): void {
    this.node(name).signal('SIGSTOP');
  }

  /** Lets a server that hangs go on. */
  resume(name: string): void {
    this.node(name).signal('SIGCONT');
  }

  /** Warnings and errors that a server has logged, the newest last. */
  problemsOf(name: string, most: number): string[] {
    const log = readFileSync(join(this.folder, `${name}.log`), 'utf8');
    return log
      .split('\n')
      .filter((line) => /\[(?:WRN|ERR|FTL)\]|leader/.test(line))
      .slice(-most);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private urlFor(user: string, name: string): string {
    const { seat, ports } = this.node(name);
    return natsUrl(user, BUS_PASSWORD, `${seat.host}:${ports.client}`);
  }

  private node(name: string): ClusterNode {
    const node = this.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`no server of the cluster is called ${name}`);
    return node;
  }
}

interface NodePorts {
  readonly client: number;
  readonly route: number;
}

async function portsOfNode(): Promise<NodePorts> {
  return { client: await freePort(), route: await freePort() };
}

class ClusterNode implements ClusterServer {
  private child: ChildProcess | undefined;
  private readonly config: string;

  constructor(
    readonly name: string,
    private readonly command: string,
    private readonly folder: string,
    readonly ports: NodePorts,
    readonly seat: ServerSeat,
  ) {
    this.config = join(folder, `${name}.conf`);
  }

  configure(keys: BusKeys, routes: readonly string[]): void {
    const { host, folder = join(this.folder, this.name) } = this.seat;
    const store = JSON.stringify(folder);
    const lines = [
      `server_name: ${this.name}`,
      // As in production: a message is on disk before it is acknowledged.
      `jetstream { store_dir: ${store}, max_file_store: 1PB, sync_interval: always }`,
      `cluster { name: ringdown, listen: "${host}:${this.ports.route}", routes: [${routes.map(routeUrl).join(', ')}] }`,
      `log_file: ${JSON.stringify(join(this.folder, `${this.name}.log`))}`,
    ];
    const text = natsConfig({ listen: `${host}:${this.ports.client}`, keys, password: BUS_PASSWORD, lines });
    writeFileSync(this.config, text, { mode: 0o600 });
  }

  async launch(): Promise<void> {
    const child = this.seat.spawn(this.command, ['--config', this.config]);
    child.stdout?.resume();
    child.stderr?.resume();
    this.child = child;
    const ended = new AbortController();
    child.once('exit', () => ended.abort(new Error(`the nats-server ${this.name} ended at its start`)));
    await listening({ host: this.seat.host, port: this.ports.client }, ended.signal);
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.child?.kill(signal) !== true) throw new Error(`the nats-server ${this.name} does not run`);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

function routeUrl(address: string): string {
  return JSON.stringify(`nats://${address}`);
}
