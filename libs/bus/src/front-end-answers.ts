import type { Bus } from './bus.js';
import { collectorAnswersPattern } from './subjects.js';

/** What one collector has answered to a front end since the collector was started. */
export interface FrontEndAnswers {
  /** `Count` of the latest reply. */
  readonly count: number;
  /** When the first and the latest of them were given: the collector's clock, milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** In any case. */
export interface FrontEndAnswersQuestion {
  readonly frontEnds: readonly string[];
}

/** Of the front ends that were asked for, those that the collector has answered, named as in the question. */
export interface FrontEndAnswersReply {
  readonly answers: readonly (FrontEndAnswers & { readonly frontEnd: string })[];
}

/**
 * Tells whoever asks what a collector has answered to some front ends. It is asked for, and not said again and again with
 * the report of the service: a collector may know thousands, of which an operator looks at a page now and then. Returns
 * the function that ends it.
 */
export function tellFrontEndAnswers(
  bus: Bus,
  replica: string,
  of: (frontEnd: string) => FrontEndAnswers | undefined,
): () => void {
  return bus.respond(collectorAnswersPattern(replica), (question): FrontEndAnswersReply => {
    if (!isQuestion(question)) throw new Error('not a question about front ends');
    return {
      answers: question.frontEnds.flatMap((frontEnd) => {
        const answers = of(frontEnd);
        return answers === undefined ? [] : { frontEnd, ...answers };
      }),
    };
  });
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
  return new Map(reply.answers.map(({ frontEnd, ...answers }) => [frontEnd, answers]));
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
