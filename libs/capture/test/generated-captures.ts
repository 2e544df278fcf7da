import { request, response, sdp } from './sip-messages.js';
import * as links from './write-links.js';
import * as pcap from './write-pcap.js';
import * as tunnels from './write-tunnels.js';
import { AT, CALLEE, CALLEE6, CALLER, CALLER6, type GeneratedCapture } from './generated-capture.js';

/** Captures of one rejected call in every link and tunnel that is read. */
const { ethernet, udp } = pcap;
const INVITE = request('INVITE', { body: sdp(CALLER.ip, 4_000) });
const BUSY = response('486 Busy Here', 'INVITE');
const ACK = request('ACK');
const ETHERNET = 1;
const RAW = 101;
/** Labels of MPLS: tshark must be told what they are. */
export const PSEUDOWIRE = { withControlWord: 17_001, withoutControlWord: 17_002 } as const;

type Wrap = (packet: Buffer) => Buffer;

/** A way in which captures contain IP packets of one version. */
export interface Wrapping {
  readonly name: string;
  readonly linkType: number;
  readonly wrap: Wrap;
  readonly version: 4 | 6;
}

function link(name: string, linkType: number, wrap: Wrap, version: 4 | 6 = 4): Wrapping {
  return { name, linkType, wrap, version };
}

function call({ name, linkType, wrap, version }: Wrapping): GeneratedCapture {
  const [caller, callee] = version === 4 ? [CALLER, CALLEE] : [CALLER6, CALLEE6];
  const packets = [udp(caller, callee, INVITE), udp(callee, caller, BUSY), udp(caller, callee, ACK)];
  const frames = packets.map((packet, n) => ({ at: AT + n * 250, bytes: wrap(packet) }));
  return { name, linkType, frames, messages: 3, notRead: [] };
}

/** Around an IP packet, in another one. */
interface Tunnel {
  readonly name: string;
  readonly wrap: Wrap;
  readonly version: 4 | 6;
}

function tunnel(name: string, wrap: Wrap, version: 4 | 6 = 4): Tunnel {
  return { name, wrap, version };
}

const LINKS = [
  link('Ethernet', ETHERNET, (packet) => ethernet(packet)),
  link('Ethernet with IPv6', ETHERNET, (packet) => ethernet(packet), 6),
  link('VLAN', ETHERNET, (packet) => ethernet(packet, 0x81_00)),
  link('QinQ', ETHERNET, (packet) => ethernet(packet, 0x88_a8, 0x81_00)),
  link('IEEE 802.3 with LLC and SNAP', ETHERNET, (packet) => links.ethernetWithLength(links.llcSnap(packet))),
  link('PPPoE', ETHERNET, links.pppoe),
  link('PPPoE with IPv6', ETHERNET, links.pppoe, 6),
  link('PPP', 9, (packet) => links.ppp(packet)),
  link('PPP with compressed fields', 9, (packet) => links.ppp(packet, true)),
  link('PPP in HDLC', 50, (packet) => links.ppp(packet), 6),
  link('Cisco HDLC', 104, links.ciscoHdlc),
  link('IEEE 802.11', 105, (packet) => links.radio(packet)),
  link('IEEE 802.11 with QoS', 105, (packet) => links.radio(packet, { qos: true }), 6),
  link('IEEE 802.11 between stations', 105, (packet) => links.radio(packet, { qos: true, betweenStations: true })),
  link('radiotap', 127, (packet) => links.radiotap(packet)),
  link('radiotap with padding', 127, (packet) => links.radiotap(packet, true)),
  link('NFLOG', 239, links.nflog),
  link('NFLOG with IPv6', 239, links.nflog, 6),
  link('Linux cooked', 113, (packet) => pcap.cooked(packet)),
  link('Linux cooked, version 2', 276, (packet) => pcap.cooked(packet, 2), 6),
  link('raw IP', RAW, (packet) => packet),
  link('raw IPv6', 229, (packet) => packet, 6),
  link('BSD loopback', 0, links.loopback),
  link('BSD loopback with IPv6', 0, links.loopback, 6),
  link('MPLS', ETHERNET, (packet) => links.ethernetOf(0x88_47, links.mpls(packet))),
  link('MPLS with IPv6', ETHERNET, (packet) => links.ethernetOf(0x88_47, links.mpls(packet, 1)), 6),
  link('MPLS pseudowire with control word', ETHERNET, (packet) =>
    links.ethernetOf(
      0x88_47,
      links.mpls(Buffer.concat([Buffer.alloc(4), links.ethernetOf(0x08_00, packet)]), 2, PSEUDOWIRE.withControlWord),
    ),
  ),
  link('MPLS pseudowire without control word', ETHERNET, (packet) =>
    links.ethernetOf(0x88_47, links.mpls(links.ethernetOf(0x08_00, packet), 2, PSEUDOWIRE.withoutControlWord)),
  ),
];

const TUNNELS: readonly Tunnel[] = [
  tunnel('VXLAN', (packet) => tunnels.vxlan(ethernet(packet))),
  tunnel('VXLAN with VLAN and IPv6', (packet) => tunnels.vxlan(ethernet(packet, 0x81_00)), 6),
  tunnel('VXLAN at the port of Linux', (packet) => tunnels.vxlan(ethernet(packet), 8_472)),
  tunnel('VXLAN-GPE', tunnels.vxlanGpe),
  tunnel('Geneve', (packet) => tunnels.geneve(ethernet(packet))),
  tunnel('Geneve with IPv6', (packet) => tunnels.geneve(packet, pcap.packetEtherType(packet)), 6),
  tunnel('GRE', (packet) => tunnels.gre(packet)),
  tunnel('GRE with all fields', (packet) => tunnels.gre(packet, { checksum: true, key: 7, sequence: 9 }), 6),
  tunnel('NVGRE', (packet) => tunnels.gre(ethernet(packet), { type: 0x65_58, key: 0x12_34_56_00 })),
  tunnel('PPTP', (packet) => tunnels.pptp(links.ppp(packet))),
  tunnel('ERSPAN I', (packet) => tunnels.erspan1(ethernet(packet))),
  tunnel('ERSPAN II', (packet) => tunnels.erspan2(ethernet(packet))),
  tunnel('ERSPAN III', (packet) => tunnels.erspan3(ethernet(packet))),
  tunnel('ERSPAN III with a platform', (packet) => tunnels.erspan3(ethernet(packet), true), 6),
  tunnel('4in4', (packet) => tunnels.ipInIp(packet)),
  tunnel('6in4', (packet) => tunnels.ipInIp(packet), 6),
  tunnel('4in6', (packet) => tunnels.ipInIp(packet, 6)),
  tunnel('6in6', (packet) => tunnels.ipInIp(packet, 6), 6),
  tunnel('EtherIP', (packet) => tunnels.etherIp(ethernet(packet))),
  tunnel('MPLS in GRE', (packet) => tunnels.gre(links.mpls(packet), { type: 0x88_47 })),
  tunnel('MPLS in IP', (packet) => tunnels.mplsInIp(links.mpls(packet))),
  tunnel('MPLS in UDP', (packet) => tunnels.mplsInUdp(links.mpls(packet))),
  tunnel('GTP-U', (packet) => tunnels.gtpU(packet)),
  tunnel('GTP-U with extension headers', (packet) => tunnels.gtpU(packet, true), 6),
  tunnel('TZSP', (packet) => tunnels.tzsp(ethernet(packet))),
  tunnel('TZSP with IEEE 802.11', (packet) => tunnels.tzsp(links.radio(packet), 18)),
  tunnel('L2TP', (packet) => tunnels.l2tp(links.ppp(packet))),
  tunnel('GTP-U in VXLAN in MPLS in GRE', (packet) =>
    tunnels.gre(links.mpls(tunnels.vxlan(ethernet(tunnels.gtpU(packet)))), { type: 0x88_47 }),
  ),
];

const authenticatedCall = call(
  link('authentication header', RAW, (packet) => tunnels.authenticated(CALLER, CALLEE, packet.subarray(20))),
);
const inBothDirections = authenticatedCall.frames.filter((_frame, n) => n !== 1);

/** Every link, and every tunnel on Ethernet. */
export const WRAPPINGS: readonly Wrapping[] = [
  ...LINKS,
  ...TUNNELS.map(({ name, wrap, version }) => link(name, ETHERNET, (packet) => ethernet(wrap(packet)), version)),
];

/** Datagrams, each with a whole call: they can be read in one file. */
export const CALL_CAPTURES: readonly GeneratedCapture[] = [
  ...WRAPPINGS.map(call),
  { ...authenticatedCall, frames: inBothDirections, messages: 2 },
];

/** A call in tunnels within each other: the last of these is the outermost. */
export function nestedCall(indexes: readonly number[], version: 4 | 6): GeneratedCapture {
  const chosen = indexes.map((index) => TUNNELS[index % TUNNELS.length]).filter((each) => each !== undefined);
  const wrap: Wrap = (packet) => chosen.reduce((inner, each) => each.wrap(inner), packet);
  return call(link(chosen.map(({ name }) => name).join(' in '), ETHERNET, (packet) => ethernet(wrap(packet)), version));
}
