import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { MediaPath } from '../call.js';

/** A relay of one end counts more than what the report says of the whole connection. */
export function mediaPath(
  ends: readonly (Endpoint | null)[],
  connectivity: string | null | undefined,
): MediaPath | null {
  const reported = connectivity?.toLowerCase();
  if (reported === 'relay' || ends.some((end) => end?.relay !== undefined)) return 'relay';
  return reported === 'direct' ? 'direct' : null;
}
