import type { SipMessage } from '../../sip/sip-message.js';
import type { CallParties } from '../call-parties.js';
import type { CallSetup } from '../call-setup.js';
import type { CallState } from '../call-state.js';
import type { Forks } from './forks.js';
import type { MediaNegotiation } from '../media/media-negotiation.js';
import type { MessageHop } from './message-hop.js';
import { REQUEST_TERMINATED } from '../outcome.js';
import { sipTransaction } from './transaction.js';

/** Methods whose messages may contain offers and answers (RFC 6337, 2.1). */
export const NEGOTIATING: ReadonlySet<string> = new Set(['INVITE', 'UPDATE', 'PRACK']);

/** What a call knows when a message comes. */
export interface CallSoFar {
  readonly state: CallState;
  readonly ends: CallParties;
  readonly setup: CallSetup;
  readonly negotiation: MediaNegotiation;
  readonly forks: Forks;
}

/**
 * Whether the messages that this one follows were not captured so far: its request, the answer that an ACK or a BYE needs, the CANCEL before a 487, the response
 * of the device that a request within an early dialog goes to.
 */
export function isEarly(message: SipMessage, hop: MessageHop, call: CallSoFar): boolean {
  const { method, cseq, response } = message;
  if (method === 'CANCEL') return !response && call.state !== 'active' && cseq > call.setup.cseq;
  if (method === 'BYE') return response ? response.status >= 200 : call.state === 'inviting';
  if (method === 'ACK') return isEarlyAck(message, hop, call);
  if (!NEGOTIATING.has(method)) return false;
  return response ? isEarlyResponse(message, hop, call) : isEarlyRequest(message, call);
}

function isEarlyAck(ack: SipMessage, hop: MessageHop, { state, ends, setup, negotiation }: CallSoFar): boolean {
  const isCallers = ends.isCallers(ack);
  if (isCallers && ack.cseq > setup.cseq && state !== 'active') return true;
  const isInvitation = isCallers && ack.cseq === setup.cseq && state === 'inviting';
  if (isInvitation && !setup.isAnsweredBy(ack)) return false;
  return negotiation.isEarlyAck(ack, hop, isInvitation);
}

function isEarlyResponse(response: SipMessage, hop: MessageHop, call: CallSoFar): boolean {
  const { state, ends, setup, negotiation } = call;
  const isTerminated = response.response?.status === REQUEST_TERMINATED && state === 'inviting';
  if (isTerminated && setup.isResponse(response) && !setup.isCancelled) return true;
  // In a dialog of a hop of its own there are no offers and answers of this one.
  if (ends.hopTags.of(response.from.tag)) return false;
  if (negotiation.knows(sipTransaction(response)))
    return isAnswer(response) && negotiation.isAnsweredBehind(response, hop);
  const isCopy = ends.isCallers(response) && response.cseq <= setup.cseq;
  // Other responses without a session description have no effect.
  return !isCopy && (response.method === 'INVITE' || response.body !== '');
}

function isAnswer({ response, body }: SipMessage): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300 && body !== '';
}

function isEarlyRequest(request: SipMessage, { state, negotiation, forks }: CallSoFar): boolean {
  const { method, from, to } = request;
  if (method === 'PRACK' && negotiation.isEarlyAnswer(request)) return true;
  // A re-INVITE needs the answer.
  const hasRung = method !== 'INVITE' && [from.tag, to.tag].some((tag) => tag !== undefined && forks.has(tag));
  return state === 'inviting' && to.tag !== undefined && !hasRung;
}
