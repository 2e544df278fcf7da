import { HepError } from './hep-error.js';

/** Mark and total length. */
export const HEP3_HEADER_LENGTH = 6;
const CHUNK_HEADER_LENGTH = 6;

/** Chunks of vendor 0, the protocol's own. Others are skipped, as the protocol requires. */
export const CHUNK = {
  source4: 3,
  destination4: 4,
  source6: 5,
  destination6: 6,
  sourcePort: 7,
  destinationPort: 8,
  seconds: 9,
  microseconds: 10,
  content: 11,
  agent: 12,
  password: 14,
  payload: 15,
  compressedPayload: 16,
  correlationId: 17,
  node: 19,
} as const;

export type ChunkType = (typeof CHUNK)[keyof typeof CHUNK];

/** Fixed lengths; a chunk of another length makes the packet unreadable. */
const FIXED_LENGTHS: ReadonlyMap<number, number> = new Map([
  [CHUNK.source4, 4],
  [CHUNK.destination4, 4],
  [CHUNK.source6, 16],
  [CHUNK.destination6, 16],
  [CHUNK.sourcePort, 2],
  [CHUNK.destinationPort, 2],
  [CHUNK.seconds, 4],
  [CHUNK.microseconds, 4],
  [CHUNK.content, 1],
  [CHUNK.agent, 4],
]);
const TYPES = Math.max(...Object.values(CHUNK)) + 1;

/** The positions of the chunks in one packet. Of several of a type the last counts. Throws {@link HepError}. */
export class Hep3Chunks {
  private readonly starts = new Uint16Array(TYPES);
  private readonly ends = new Uint16Array(TYPES);

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < HEP3_HEADER_LENGTH || bytes.readUInt16BE(4) !== bytes.length) {
      throw new HepError('length', `the packet has ${bytes.length} bytes, which is not the length in its header`);
    }
    for (let at = HEP3_HEADER_LENGTH; at < bytes.length; at = this.add(at));
  }

  /** Offset of the chunk's content in the packet; 0 if there is no such chunk. */
  startOf(type: ChunkType): number {
    return this.starts[type] ?? 0;
  }

  get(type: ChunkType): Buffer | undefined {
    const start = this.startOf(type);
    return start === 0 ? undefined : this.bytes.subarray(start, this.ends[type]);
  }

  /** Returns the offset of the next chunk. */
  private add(at: number): number {
    const { bytes } = this;
    if (bytes.length - at < CHUNK_HEADER_LENGTH)
      throw new HepError('chunk', 'the header of the last chunk is incomplete');
    const type = bytes.readUInt16BE(at + 2);
    const length = bytes.readUInt16BE(at + 4);
    const end = at + length;
    if (length < CHUNK_HEADER_LENGTH || end > bytes.length) {
      throw new HepError('chunk', `chunk ${type} has an impossible length of ${length}`);
    }
    if (bytes.readUInt16BE(at) !== 0 || type >= TYPES) return end;
    const fixed = FIXED_LENGTHS.get(type);
    const held = length - CHUNK_HEADER_LENGTH;
    if (fixed !== undefined && fixed !== held) {
      throw new HepError('chunk', `chunk ${type} has ${held} bytes instead of ${fixed}`);
    }
    this.starts[type] = end - held;
    this.ends[type] = end;
    return end;
  }
}
