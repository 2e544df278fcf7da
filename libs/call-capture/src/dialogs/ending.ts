import type { Parties } from '../media/agreed-media.js';
import type { SipMessage } from '../sip/sip-message.js';
import type { Forks } from './forks.js';

/**
 * Whether a BYE ends the dialog that has the call. Another device of a forked call may get its own BYE. A To tag that
 * fits no device is the mistake of its sender: the only dialog of Call-ID and From tag ends.
 */
export function endsCall({ from, to }: SipMessage, { caller, callee }: Parties, forks: Forks): boolean {
  const isCallers = from.tag === caller.id;
  if (callee.id === undefined) return isCallers || to.tag === caller.id;
  const device = (isCallers ? to.tag : from.tag) ?? '';
  if (device === callee.id) return true;
  const isOther = forks.has(device);
  if (isOther) forks.end(device);
  return !isOther && isCallers && forks.answered === undefined;
}
