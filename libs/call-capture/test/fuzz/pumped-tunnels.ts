import { ethernet } from '@ringdown/capture/test/write-pcap.js';
import { ethernetOf, llcSnap, mpls, ppp, radio } from '@ringdown/capture/test/write-links.js';
import { dataChunk, sctp, UPGRADE_REQUEST, webSocketFrame } from '@ringdown/capture/test/write-streams.js';
import * as tunnels from '@ringdown/capture/test/write-tunnels.js';
import type { Dice } from '@ringdown/testing/fuzz/dice';

/** Around an IP packet of at most this length another tunnel fits into the length fields. */
const INNER_LIMIT = 65_000;
const SMALL = 1_000;

const WRAPS: readonly ((packet: Buffer) => Buffer)[] = [
  (packet) => tunnels.ipInIp(packet),
  (packet) => tunnels.ipInIp(packet, 6),
  (packet) => tunnels.gre(packet),
  (packet) => tunnels.gre(mpls(packet, 9), { type: 0x88_47, key: 1 }),
  (packet) => tunnels.gre(mpls(ethernetOf(0x08_00, packet)), { type: 0x88_47 }),
  (packet) => tunnels.gre(llcSnap(packet), { type: 0x65_58, sequence: 1 }),
  (packet) => tunnels.erspan3(ethernet(packet, 0x81_00, 0x88_a8), true),
  (packet) => tunnels.vxlan(ethernet(packet)),
  (packet) => tunnels.geneve(ethernet(packet)),
  (packet) => tunnels.gtpU(packet, true),
  (packet) => tunnels.tzsp(radio(packet, { qos: true }), 18),
  (packet) => tunnels.pptp(ppp(packet)),
  (packet) => tunnels.l2tp(ppp(packet, true)),
];

/** The packet in some tunnels within each other, at times in 50. */
export function inTunnels(dice: Dice, packet: Buffer): Buffer {
  const depth = dice.onceIn(10) ? dice.below(51) : dice.below(3);
  let outer = packet;
  for (let tunnel = 0; tunnel < depth && outer.length <= INNER_LIMIT; tunnel++) outer = dice.of(WRAPS)(outer);
  return outer;
}

/** The payload in frames of a WebSocket, many of them at times, or after the request that opens one. */
export function inWebSocket(dice: Dice, payload: Buffer): Buffer {
  const mask = dice.onceIn(2) ? dice.below(2 ** 31) : undefined;
  const frameOf = (bytes: Buffer): Buffer => {
    const bits = bytes.length < 126 ? dice.of([7, 16, 64] as const) : dice.of([16, 64] as const);
    const parts = { bits, opcode: dice.of([0, 1, 1, 2, 9]), isLast: dice.onceIn(2), isCompressed: dice.onceIn(20) };
    return webSocketFrame(bytes, mask === undefined ? parts : { ...parts, mask });
  };
  const size = dice.onceIn(4) ? 1 + dice.below(8) : SMALL;
  const count = Math.min(Math.ceil(payload.length / size), 500);
  const frames = Array.from({ length: count }, (_, n) => frameOf(payload.subarray(n * size, (n + 1) * size)));
  return Buffer.concat([...(dice.onceIn(2) ? [UPGRADE_REQUEST] : []), ...frames]);
}

/** The payload in chunks of an SCTP association. */
export function inSctp(dice: Dice, payload: Buffer): Buffer {
  const from = { ip: '192.0.2.10', port: 5_060 };
  const size = dice.onceIn(4) ? 1 + dice.below(8) : SMALL;
  const count = Math.min(Math.ceil(payload.length / size), 60);
  const chunks = Array.from({ length: count }, (_, n) => {
    const part = payload.subarray(n * size, (n + 1) * size);
    return dataChunk(part, { sequence: dice.below(100), isFirst: n === 0, isLast: dice.onceIn(10) });
  });
  return sctp(from, { ip: '192.0.2.1', port: 5_060 }, ...chunks);
}
