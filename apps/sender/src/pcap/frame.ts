import { CaptureError } from './capture-error.js';

/** What was captured of one frame of a network. */
export interface Frame {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of the kind of link (tcpdump.org/linktypes.html). */
  readonly linkType: number;
  readonly bytes: Buffer;
}

/** A part of a file: a header, or something with a frame in it. */
export interface Part {
  readonly length: number;
  readonly frame?: Frame;
}

/** How the parts of a file follow one another. */
export interface CaptureFormat {
  /** The part at the beginning of these bytes; undefined while it is not whole. Throws {@link CaptureError}. */
  next(bytes: Buffer): Part | undefined;
}

/** What tcpdump allows for one frame. */
export const MAX_FRAME = 262_144;
/** The end of the year 9999: no later one can be written. */
const LAST_TIME = 253_402_300_799_999;

/** `seconds` since 1970, with a fraction. Throws {@link CaptureError}. */
export function timeOf(seconds: number): number {
  const at = seconds * 1_000;
  if (!(at >= 0 && at <= LAST_TIME)) throw new CaptureError(`impossible frame time: ${seconds} seconds after 1970`);
  return at;
}
