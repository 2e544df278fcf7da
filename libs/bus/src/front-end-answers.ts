import type { Bus } from './bus.js';
import { collectorAnswersPattern } from './subjects.js';

/** What one collector has answered to a front end since the collector was started. */
export interface FrontEndAnswers {
  /** `Count` of the latest reply. */
  readonly count: number;
  /** Records that were answered with 503 instead. */
  readonly unavailable: number;
  /** When the first and the latest of them were given: the collector's clock, milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** As collectors send it; before 1.0 they did not count what was answered with 503. */
type SentAnswers = Omit<FrontEndAnswers, 'unavailable'> & Partial<Pick<FrontEndAnswers, 'unavailable'>>;

/** In any case. */
export interface FrontEndAnswersQuestion {
  readonly frontEnds: readonly string[];
}

/** Of the front ends that were asked for, those that the collector has answered, named as in the question. */
export interface FrontEndAnswersReply {
  readonly answers: readonly (SentAnswers & { readonly frontEnd: string })[];
}

/** Throws for a request that is not a question about front ends. */
export function readFrontEndsQuestion(request: unknown): FrontEndAnswersQuestion {
  if (!isQuestion(request)) throw new Error('not a question about front ends');
  return request;
}

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
  if (!isReply(reply)) throw new Error('the collector answers in another form');
  return new Map(reply.answers.map(({ frontEnd, ...answers }) => [frontEnd, { unavailable: 0, ...answers }]));
}

type Fields = Partial<Record<string, unknown>>;

function isQuestion(value: unknown): value is FrontEndAnswersQuestion {
  const { frontEnds }: Fields = { ...Object(value) };
  return Array.isArray(frontEnds) && frontEnds.every((name) => typeof name === 'string');
}

function isReply(value: unknown): value is FrontEndAnswersReply {
  const { answers }: Fields = { ...Object(value) };
  return Array.isArray(answers) && answers.every(isAnswer);
}

function isAnswer(value: unknown): boolean {
  const { frontEnd, count, firstAt, lastAt }: Fields = { ...Object(value) };
  return typeof frontEnd === 'string' && [count, firstAt, lastAt].every((number) => typeof number === 'number');
}
