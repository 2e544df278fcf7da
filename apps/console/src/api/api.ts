import type { Session } from '../web-interface/index.js';
import type { Problem, WrongParameter } from './answers.js';
import { problemWords } from './problem-words.js';
import { queryText, type Query } from './query-text.js';
import { serverClock } from './server-clock.js';
import { texts } from '../texts/api.js';

/** Temporary failures of the server or a proxy (0: no answer at all), or too many requests. */
const PASSING: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** A failed request to the query API; `code` is stable (docs/openapi.yaml, `Problem`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Those that are wrong, if that is the reason. */
    readonly parameters: readonly WrongParameter[] = [],
  ) {
    super(message);
  }

  /** Whether a retry may succeed: the server is not reachable, or busy. */
  get isPassing(): boolean {
    return PASSING.has(this.status);
  }
}

/** Sends requests to the query API as the signed-in user. An answer that refuses the token ends the session. */
export class Api {
  constructor(private readonly session: Pick<Session, 'authorization' | 'refused'>) {}

  /** Returns the JSON of an answer. Rejects with an {@link ApiError}. */
  async get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const answer = await this.open(path, { query, ...(signal === undefined ? {} : { signal }) });
    // Of the shape that docs/openapi.yaml gives this path; server and console are of one version.
    const body: T = await answer.json();
    return body;
  }

  /** Returns an answer whose body has not been read yet. Rejects with an {@link ApiError}. */
  async open(
    path: string,
    options: {
      query?: Query;
      headers?: Record<string, string>;
      signal?: AbortSignal;
      method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      /** Sent as JSON. */
      body?: object;
    } = {},
  ): Promise<Response> {
    const { authorization = '' } = this.session;
    const { query = {}, headers, signal = null, method = 'GET', body } = options;
    let answer: Response;
    try {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const sent = { ...type, ...headers, authorization };
      const init = { method, headers: sent, ...json, cache: 'no-store', signal } as const;
      answer = await fetch(addressWithQuery(path, query), init);
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'unreachable', texts.notResponding);
    }
    serverClock.learn(answer.headers.get('date'));
    if (answer.ok) return answer;
    if (answer.status === 401) this.session.refused(authorization);
    throw await answerProblem(answer);
  }
}

export function addressWithQuery(path: string, query: Query): string {
  const text = queryText(query);
  return text === '' ? path : `${path}?${text}`;
}

async function answerProblem(answer: Response): Promise<ApiError> {
  return problemIn(answer.status, await answer.text().catch(() => ''));
}

/** The error that a refused request stands for, from its answer. */
export function problemIn(status: number, text: string): ApiError {
  const problem = propertiesIn(text);
  const code = typeof problem.code === 'string' ? problem.code : 'unknown';
  const words = typeof problem.detail === 'string' ? problemWords(problem) : texts.respondedWith(String(status));
  return new ApiError(status, code, words, problem.parameters);
}

/** None for a text that is not a JSON object, such as the page of a proxy. */
function propertiesIn(text: string): Partial<Problem> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
