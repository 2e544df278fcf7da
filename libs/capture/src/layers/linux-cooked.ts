import { ofLinksEtherType } from './ether-types.js';
import { layer, type Layer } from './layer.js';

const LLC = 0x00_04;

/** Linux cooked capture, version 1 (`tcpdump -i any`). */
export function readCooked(bytes: Buffer): Layer | undefined {
  return bytes.length < 16 ? undefined : ofProtocol(bytes.readUInt16BE(14), bytes.subarray(16));
}

/** Version 2. */
export function readCooked2(bytes: Buffer): Layer | undefined {
  return bytes.length < 20 ? undefined : ofProtocol(bytes.readUInt16BE(0), bytes.subarray(20));
}

function ofProtocol(protocol: number, bytes: Buffer): Layer | undefined {
  return protocol === LLC ? layer('llc', bytes) : ofLinksEtherType(protocol, bytes);
}
