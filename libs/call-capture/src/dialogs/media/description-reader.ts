import type { Description, Side } from '../../media/agreed-media.js';
import { bodyPart } from '../../sip/body-part.js';
import { readSessionDescription } from '../../sip/session-description.js';
import type { SipMessage } from '../../sip/sip-message.js';
import { keptList } from '../../collections/kept.js';
import { SmallMap } from '../../collections/small-map.js';

interface Read {
  readonly description: Description | undefined;
  /** The sides for which it was returned as new. */
  of: readonly Side[];
}

const LIMIT = 4;

/** The session descriptions of one call. Copies of a message repeat a text, which is read once. */
export class DescriptionReader {
  private readonly texts = new SmallMap<Read>(LIMIT);

  read(message: SipMessage): Description | undefined {
    return this.find(message)?.description;
  }

  /** Undefined if the message has none, or the same text was returned for this side before. */
  readNew(message: SipMessage, side: Side): Description | undefined {
    const found = this.find(message);
    if (!found || found.of.includes(side)) return undefined;
    found.of = keptList([...found.of, side]);
    return found.description;
  }

  private find(message: SipMessage): Read | undefined {
    const text = bodyPart(message, 'application/sdp');
    if (text === undefined) return undefined;
    const known = this.texts.get(text);
    if (known) return known;
    const read: Read = { description: readSessionDescription(text), of: [] };
    this.texts.set(text, read);
    return read;
  }
}
