import type { CallError } from '../api/answers.js';

/** What a SIP status means for the parties of a call (RFC 3261, section 21, and extensions). */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The server could not read the request.',
  401: 'The caller has to sign in first.',
  403: 'A server or the other side does not allow this call.',
  404: 'No user has this address.',
  405: 'The other side does not know this kind of request.',
  407: 'The caller has to sign in at a proxy first.',
  408: 'The other side did not answer in time: it may be switched off or out of reach.',
  410: 'This address no longer exists.',
  415: 'The other side does not know this kind of media.',
  480: 'The other person is not signed in anywhere, or does not accept calls now.',
  481: 'One side had already ended the call.',
  482: 'The request was routed in a loop.',
  484: 'The number is not complete.',
  486: 'The other person is in another call.',
  487: 'The caller hung up before the call was answered.',
  488: 'The two sides have no codec, encryption or medium in common.',
  500: 'A server failed.',
  502: 'A gateway received an invalid response from the next server.',
  503: 'A server or line is overloaded or out of service.',
  504: 'A server got no response from another server in time.',
  580: 'The network could not reserve the requested bandwidth.',
  600: 'The other person is busy on all devices.',
  603: 'The other person declined.',
  604: 'No user has this address anywhere.',
  606: 'The other side does not accept the offered media.',
};

const CLASSES: Readonly<Record<number, string>> = {
  4: 'The request could not be fulfilled.',
  5: 'A server failed.',
  6: 'No device of the other person accepts this call.',
};

/** An error in one sentence for readers who do not know SIP; undefined if there is nothing to add. */
export function explainError({ code }: Pick<CallError, 'code'>): string | undefined {
  if (code === null) return undefined;
  return MEANINGS[code] ?? CLASSES[Math.floor(code / 100)];
}
