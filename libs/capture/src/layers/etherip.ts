import { layer, unread, type Layer } from './layer.js';

const VERSION = 3;
const HEADER_LENGTH = 2;

/** EtherIP (RFC 3378): Ethernet in IP. */
export function readEtherIp(bytes: Buffer): Layer {
  return (bytes[0] ?? 0) >> 4 === VERSION ? layer('ethernet', bytes.subarray(HEADER_LENGTH)) : unread('EtherIP');
}
