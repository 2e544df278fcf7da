import type { PhonePlace } from './phone-network.js';
import { sending, startSipp } from './sipp.js';

export const REDIRECT_PORT = 5_070;

/** baresip 1.0 cannot redirect: a sipp that answers each INVITE with 302. */
export function startRedirect(place: PhonePlace, to: string, folder: string): Promise<void> {
  const moved = [
    'SIP/2.0 302 Moved Temporarily',
    '[last_Via:]',
    '[last_From:]',
    '[last_To:];tag=[call_number]moved',
    '[last_Call-ID:]',
    '[last_CSeq:]',
    `Contact: <${to}>`,
    'Content-Length: 0',
    '',
  ];
  const steps = ['<recv request="INVITE"/>', sending('send', moved), '<recv request="ACK"/>'];
  return startSipp(place, folder, { name: 'redirect', port: REDIRECT_PORT, steps });
}
