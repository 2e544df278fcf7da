import type { CallEvidence } from '../call-evidence.js';
import type { MediaPacket } from '../media-packet.js';
import type { Evidence } from '../side-table.js';

/** One kind of evidence for the side that sent a packet. None if it knows nothing. */
export type Rule = (packet: MediaPacket, known: CallEvidence) => readonly Evidence[];
