import { CaptureError } from './capture-error.js';

/** The captured part of one network frame. */
export interface Frame {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Link type (tcpdump.org/linktypes.html). */
  readonly linkType: number;
  readonly bytes: Buffer;
}

/** A part of a file: a header, or a packet with its frame. */
export interface Part {
  readonly length: number;
  readonly frame?: Frame;
}

/** The format of a capture file. */
export interface CaptureFormat {
  /** The part at the beginning of these bytes; undefined while it is incomplete. Throws {@link CaptureError}. */
  next(bytes: Buffer): Part | undefined;
}

/** The limit of tcpdump for one frame. */
export const MAX_FRAME = 262_144;
/** The end of the year 9999, the last that a time stamp can have. */
const LAST_TIME = 253_402_300_799_999;

/** `seconds` since 1970, with a fraction. Throws {@link CaptureError}. */
export function frameTime(seconds: number): number {
  const at = seconds * 1_000;
  if (!(at >= 0 && at <= LAST_TIME)) throw new CaptureError(`impossible frame time: ${seconds} seconds after 1970`);
  return at;
}
