const SAMPLES = 16;

/**
 * Whether all bytes of a payload seem to be equal, by sixteen of them: G.711 sends digital silence, a muted microphone and
 * a missing source in this way. A constant level is not audible.
 */
export function isConstantPayload(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length < SAMPLES) return false;
  const first = bytes[start];
  const step = Math.floor(length / SAMPLES);
  for (let at = start + step; at < end; at += step) if (bytes[at] !== first) return false;
  return true;
}
