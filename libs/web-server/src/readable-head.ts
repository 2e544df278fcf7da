import { hasUnknownCoding, hostProblem } from '@ringdown/node-http/requests';
import type { IncomingMessage } from 'node:http';
import { Fault } from './errors.js';

/** Throws {@link Fault} `malformed` or `not-implemented` for a head that Node accepts and we do not. */
export function assertReadable(request: IncomingMessage): void {
  const message = hostProblem(request);
  if (message !== undefined) throw new Fault('malformed', { message });
  if (hasUnknownCoding(request)) {
    throw new Fault('not-implemented', { message: 'The only supported transfer coding is chunked.' });
  }
}
