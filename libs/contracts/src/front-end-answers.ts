import { isCount, isTime, type Untrusted } from './foreign-json.js';

/** Request and reply: the replies that one collector has sent to front ends. */
export function collectorAnswersPattern(replica: string): string {
  return `ringdown.collectors.answers.${replica}`;
}

/** The replies that one collector has sent to a front end since the collector was started. */
export interface FrontEndAnswers {
  /** `Count` of the latest reply. */
  readonly count: number;
  /** Records that were rejected with 503 instead. */
  readonly unavailable: number;
  /** When the first and the latest reply were sent, by the collector's clock, milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** As collectors send it; before 1.0 they did not count the replies with 503. */
type SentAnswers = Omit<FrontEndAnswers, 'unavailable'> & Partial<Pick<FrontEndAnswers, 'unavailable'>>;

/** Compared without regard to case. */
export interface FrontEndAnswersRequest {
  readonly frontEnds: readonly string[];
}

/** The requested front ends that the collector has replied to, named as in the request. */
export interface FrontEndAnswersReply {
  readonly answers: readonly (SentAnswers & { readonly frontEnd: string })[];
}

/** Throws for a request that is not about front ends. */
export function readFrontEndAnswersRequest(request: unknown): FrontEndAnswersRequest {
  if (!isRequest(request)) throw new Error('not a request about front ends');
  return request;
}

/** By the names in the request. Throws for a reply in the format of another version. */
export function readFrontEndAnswers(reply: unknown): ReadonlyMap<string, FrontEndAnswers> {
  if (!isReply(reply)) throw new Error('the reply of the collector has an unknown format');
  return new Map(reply.answers.map(({ frontEnd, ...answers }) => [frontEnd, { unavailable: 0, ...answers }]));
}

function isRequest(value: unknown): value is FrontEndAnswersRequest {
  const { frontEnds }: Untrusted = { ...Object(value) };
  return Array.isArray(frontEnds) && frontEnds.every((name) => typeof name === 'string');
}

function isReply(value: unknown): value is FrontEndAnswersReply {
  const { answers }: Untrusted = { ...Object(value) };
  return Array.isArray(answers) && answers.every(isAnswer);
}

function isAnswer(value: unknown): boolean {
  const { frontEnd, count, unavailable = 0, firstAt, lastAt }: Untrusted = { ...Object(value) };
  return typeof frontEnd === 'string' && [count, unavailable].every(isCount) && [firstAt, lastAt].every(isTime);
}
