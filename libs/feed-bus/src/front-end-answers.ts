import {
  collectorAnswersPattern,
  readFrontEndAnswers,
  type FrontEndAnswers,
  type FrontEndAnswersRequest,
} from '@ringdown/contracts/front-end-answers';
import type { Bus } from '@ringdown/nats';

/** Time limit for the reply of a collector; for a killed one, the request fails at once. */
const REPLY_MS = 1_000;

/**
 * By the requested names; at most a few hundred, so that request and reply fit into a message. Rejects when the
 * collector is gone, does not reply in time, or replies in the format of another version.
 */
export async function requestFrontEndAnswers(
  bus: Bus,
  replica: string,
  frontEnds: readonly string[],
): Promise<ReadonlyMap<string, FrontEndAnswers>> {
  const request: FrontEndAnswersRequest = { frontEnds };
  const reply = await bus.request(collectorAnswersPattern(replica), request, REPLY_MS);
  return readFrontEndAnswers(reply);
}
