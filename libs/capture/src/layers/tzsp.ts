import { layer, unread, type Layer } from './layer.js';

const HEADER_LENGTH = 4;
const VERSION = 1;
const TYPE = { received: 0, toTransmit: 1 } as const;
const ENCAPSULATED = { ethernet: 1, ieee80211: 18 } as const;
const TAG = { padding: 0, end: 1 } as const;
const MAX_TAGS = 64;

/** TZSP, which access points and MikroTik's sniffer send: tagged fields, then the frame. */
export function readTzsp(bytes: Buffer): Layer | undefined {
  if (bytes.length < HEADER_LENGTH || bytes.readUInt8(0) !== VERSION) return undefined;
  const type = bytes.readUInt8(1);
  if (type !== TYPE.received && type !== TYPE.toTransmit) return undefined;
  const frame = frameAfterTags(bytes);
  const protocol = bytes.readUInt16BE(2);
  if (frame && protocol === ENCAPSULATED.ethernet) return layer('ethernet', frame);
  if (frame && protocol === ENCAPSULATED.ieee80211) return layer('ieee80211', frame);
  return unread('TZSP');
}

/** Undefined if no tag ends the list. */
function frameAfterTags(bytes: Buffer): Buffer | undefined {
  let at = HEADER_LENGTH;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const tag = bytes[at];
    if (tag === undefined) return undefined;
    if (tag === TAG.end) return bytes.subarray(at + 1);
    at += tag === TAG.padding ? 1 : 2 + (bytes[at + 1] ?? 0);
  }
  return undefined;
}
