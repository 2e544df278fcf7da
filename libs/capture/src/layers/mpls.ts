import { isLikeEthernet } from './ethernet.js';
import { layer, unread, type Layer } from './layer.js';

const LABEL_LENGTH = 4;
const MAX_LABELS = 16;
const CONTROL_WORD_LENGTH = 4;

/** A stack of labels (RFC 3032). It does not say what follows: IP, or a pseudowire of Ethernet (RFC 4448). */
export function readMpls(bytes: Buffer): Layer | undefined {
  for (let labels = 1; labels <= MAX_LABELS; labels++) {
    const at = labels * LABEL_LENGTH;
    if (bytes.length <= at) return unread('MPLS');
    const isLast = (bytes.readUInt8(at - 2) & 1) === 1;
    if (isLast) return mplsPayload(bytes.subarray(at));
  }
  return unread('MPLS');
}

function mplsPayload(bytes: Buffer): Layer | undefined {
  const nibble = bytes.readUInt8(0) >> 4;
  if (nibble === 4 || nibble === 6) return layer('ip', bytes);
  // 0 begins a control word (RFC 4385), but most addresses of Ethernet, too.
  const withoutWord = bytes.subarray(CONTROL_WORD_LENGTH);
  if (nibble === 0 && isLikeEthernet(withoutWord)) return layer('ethernet', withoutWord);
  if (isLikeEthernet(bytes)) return layer('ethernet', bytes);
  // 1 begins an associated channel (RFC 5586): the network's own messages.
  return nibble === 1 ? undefined : unread('MPLS');
}
