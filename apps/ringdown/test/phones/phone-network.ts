import { once } from 'node:events';
import { join } from 'node:path';
import { RELAY_OFFSET } from './delay-relay.js';
import { Namespaces, type Namespace } from './namespaces.js';

/** Kamailio and rtpengine. */
export const CORE = '203.0.113.1';
const ROUTER = '198.51.100.2';
const PHONE_DEVICE = 'phone';
/** Of every phone: each call uses two. */
export const MEDIA_PORTS = [10_000, 10_019] as const;
const RELAY = join(import.meta.dirname, 'delay-relay.js');

/** A machine for one phone. */
export interface PhonePlace {
  readonly namespace: Namespace;
  readonly address: string;
}

/** What happens to packets of media on their way. */
export type LossRule = 'none' | 'one of 20' | '15 % at random';

const STATISTIC: Readonly<Record<Exclude<LossRule, 'none'>, readonly string[]>> = {
  'one of 20': ['--mode', 'nth', '--every', '20', '--packet', '0'],
  '15 % at random': ['--mode', 'random', '--probability', '0.15'],
};

/**
 * The core in the middle; phones at home behind one router with NAT, and phones with public addresses. The core also reaches
 * this machine, where the sender runs.
 */
export class PhoneNetwork {
  readonly home: PhonePlace[] = [];
  readonly outside: PhonePlace[] = [];

  private constructor(
    private readonly namespaces: Namespaces,
    readonly core: Namespace,
    private readonly router: Namespace,
    /** Address of this machine, as seen by the core. */
    readonly hostAddress: string,
  ) {}

  static async start(phones: { readonly home: number; readonly outside: number }): Promise<PhoneNetwork> {
    const namespaces = await Namespaces.start();
    try {
      const core = await namespaces.add('core');
      const router = await namespaces.add('router');
      await core.ip('address', 'add', `${CORE}/32`, 'dev', 'lo');
      const hostAddress = await namespaces.linkToHost(core);
      const network = new PhoneNetwork(namespaces, core, router, hostAddress);
      await network.openRouter();
      for (let n = 0; n < phones.home; n++) await network.addHome(n);
      for (let n = 0; n < phones.outside; n++) await network.addOutside(n);
      return network;
    } catch (error) {
      await namespaces.stop();
      throw error;
    }
  }

  /** Loss of RTP and RTCP on their way to or from one phone at home; its SIP is not affected. */
  async lose(direction: 'to' | 'from', { address }: PhonePlace, rule: LossRule): Promise<void> {
    if (rule === 'none') return;
    const way = direction === 'to' ? ['-i', 'wan', '-d', address] : ['-o', 'wan', '-s', address];
    const packets = [...way, '-p', 'udp', '-m', 'multiport', '!', '--ports', '5060'];
    const loss = ['-m', 'statistic', ...STATISTIC[rule], '-j', 'DROP'];
    await this.router.run('iptables', '-w', '-A', 'FORWARD', ...packets, ...loss);
  }

  /** RTP and RTCP to a phone arrive late, and RTP in another order: the kernel may lack netem, so a program relays them. */
  async delayTowards({ namespace, address }: PhonePlace, delayMs: number): Promise<void> {
    const [first, last] = MEDIA_PORTS;
    // REDIRECT is for new connections: what the phone itself sends must not make one.
    const own = ['-p', 'udp', '--sport', MEDIA_PORTS.join(':')];
    await namespace.run('iptables', '-w', '-t', 'raw', '-A', 'OUTPUT', '-o', PHONE_DEVICE, ...own, '-j', 'NOTRACK');
    const ports = ['-i', PHONE_DEVICE, '-p', 'udp', '--dport'];
    for (let port = first; port <= last; port++) {
      const redirect = ['-j', 'REDIRECT', '--to-ports', String(port + RELAY_OFFSET)];
      await namespace.run('iptables', '-w', '-t', 'nat', '-A', 'PREROUTING', ...ports, String(port), ...redirect);
    }
    const relay = namespace.spawn(process.execPath, [RELAY, address, String(first), String(last), String(delayMs)]);
    await once(relay.stdout, 'data');
  }

  stop(): Promise<void> {
    return this.namespaces.stop();
  }

  private async openRouter(): Promise<void> {
    const { core, router } = this;
    await this.namespaces.link(
      { at: core, device: 'router', address: '198.51.100.1/30' },
      { at: router, device: 'wan', address: `${ROUTER}/30` },
    );
    await router.ip('route', 'add', 'default', 'via', '198.51.100.1');
    await core.forwardPackets();
    await router.forwardPackets();
    await router.run('iptables', '-w', '-t', 'nat', '-A', 'POSTROUTING', '-o', 'wan', '-j', 'MASQUERADE');
  }

  private async addHome(n: number): Promise<void> {
    const gateway = `192.168.${n + 1}.1`;
    this.home.push(await this.addPhone(this.router, `home${n}`, gateway, `192.168.${n + 1}.2`));
  }

  private async addOutside(n: number): Promise<void> {
    const gateway = `203.0.113.${17 + 4 * n}`;
    this.outside.push(await this.addPhone(this.core, `outside${n}`, gateway, `203.0.113.${18 + 4 * n}`));
  }

  private async addPhone(behind: Namespace, name: string, gateway: string, address: string): Promise<PhonePlace> {
    const namespace = await this.namespaces.add(name);
    await this.namespaces.link(
      { at: behind, device: name, address: `${gateway}/30` },
      { at: namespace, device: PHONE_DEVICE, address: `${address}/30` },
    );
    await namespace.ip('route', 'add', 'default', 'via', gateway);
    return { namespace, address };
  }
}
