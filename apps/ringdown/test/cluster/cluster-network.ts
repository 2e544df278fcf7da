import type { ServerSeat } from '@ringdown/testing/servers/nats-cluster';
import { Namespaces, type Namespace } from '../phones/namespaces.js';

/** Each process has a network of 32 addresses for its machines, in 100.64.0.0/10, which is not used for anything else here. */
const FIRST = (100 << 24) + (64 << 16) + (process.pid % 32_768) * 32;

/**
 * Machines that are connected through a switch, as is this one, where services and databases run. A machine can be cut off from
 * all others while its programs run.
 */
export class ClusterNetwork {
  /** By the names of the machines. */
  readonly seats: Record<string, ServerSeat> = {};

  private constructor(
    private readonly namespaces: Namespaces,
    private readonly crossing: Namespace,
  ) {}

  static async start(names: readonly string[]): Promise<ClusterNetwork> {
    const namespaces = await Namespaces.start();
    try {
      const crossing = await namespaces.add('switch');
      await crossing.forwardPackets();
      await namespaces.linkToHost(crossing, `${dottedAddress(FIRST)}/27`);
      const network = new ClusterNetwork(namespaces, crossing);
      for (const [index, name] of names.entries()) await network.add(name, FIRST + 4 * index);
      return network;
    } catch (error) {
      await namespaces.stop();
      throw error;
    }
  }

  /** Packets from and to this machine are lost from now on, and nobody gets an error. */
  cut(name: string): Promise<void> {
    return this.filter('-I', name);
  }

  join(name: string): Promise<void> {
    return this.filter('-D', name);
  }

  stop(): Promise<void> {
    return this.namespaces.stop();
  }

  private async filter(action: '-I' | '-D', name: string): Promise<void> {
    const host = this.seats[name]?.host;
    if (host === undefined) throw new Error(`no machine is called ${name}`);
    for (const side of ['-s', '-d']) {
      await this.crossing.run('iptables', '-w', action, 'FORWARD', side, host, '-j', 'DROP');
    }
  }

  private async add(name: string, first: number): Promise<void> {
    const namespace = await this.namespaces.add(name);
    const [gateway, host] = [dottedAddress(first + 1), dottedAddress(first + 2)];
    await this.namespaces.link(
      { at: this.crossing, device: name, address: `${gateway}/30` },
      { at: namespace, device: 'switch', address: `${host}/30` },
    );
    await namespace.ip('route', 'add', 'default', 'via', gateway);
    this.seats[name] = { host, spawn: (command, args) => namespace.spawn(command, args) };
  }
}

function dottedAddress(n: number): string {
  return [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255].join('.');
}
