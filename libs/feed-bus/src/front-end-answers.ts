import {
  collectorAnswersPattern,
  readFrontEndAnswers,
  type FrontEndAnswers,
  type FrontEndAnswersQuestion,
} from '@ringdown/contracts';
import type { Bus } from '@ringdown/nats';

/** How long a collector may take; of one that was killed it is known at once that it does not answer. */
const ANSWER_MS = 1_000;

/**
 * By the names that were asked for; a few hundred, so that question and answer fit into a message. Rejects when the
 * collector is gone, does not answer in time, or answers in the form of another version.
 */
export async function askFrontEndAnswers(
  bus: Bus,
  replica: string,
  frontEnds: readonly string[],
): Promise<ReadonlyMap<string, FrontEndAnswers>> {
  const question: FrontEndAnswersQuestion = { frontEnds };
  const reply = await bus.request(collectorAnswersPattern(replica), question, ANSWER_MS);
  return readFrontEndAnswers(reply);
}
