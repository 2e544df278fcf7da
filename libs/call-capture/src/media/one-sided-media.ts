import type { OfferedMedium } from '../sip/offered-medium.js';
import { otherSide, type AgreedMedium, type Description, type Side } from './agreed-media.js';

/** The media of an answered call of which only one session description was captured: the other addresses are unknown. */
export function oneSidedMedia(known: Description, describedBy: Side): AgreedMedium[] {
  return known.flatMap((medium, place) => {
    if (!medium || medium.isOff || medium.mediaType === 'text') return [];
    const sides = { [describedBy]: medium, [otherSide(describedBy)]: withoutAddress(medium) };
    const { caller = medium, callee = medium } = sides;
    return { place, mediaType: medium.mediaType, caller, callee, codecs: medium.codecs };
  });
}

function withoutAddress(medium: OfferedMedium): OfferedMedium {
  const { mediaType, protocol, sends, receives, isOff, codecs } = medium;
  return { mediaType, protocol, isOff, codecs, sends: receives, receives: sends };
}
