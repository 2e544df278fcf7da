const URN = 'urn:ietf:params:acme:error:';

export interface AcmeFailureOptions extends ErrorOptions {
  /** The authority wants to be asked again after this time. */
  readonly retryAfterMs?: number | undefined;
}

/** Why there is no certificate. */
export class AcmeFailure extends Error {
  override readonly name = 'AcmeFailure';
  readonly retryAfterMs: number | undefined;

  /** `kind`: of RFC 8555, section 6.7, such as `rateLimited`; or a word of ours: {@link remedyFor} knows both. */
  constructor(
    readonly kind: string,
    message: string,
    { retryAfterMs, ...options }: AcmeFailureOptions = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A problem document (RFC 7807), as answers, challenges and orders have it. */
export interface Problem {
  readonly type?: unknown;
  readonly detail?: unknown;
  readonly subproblems?: unknown;
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null;
}

/** `about`: what the authority was asked for. */
export function refusal(about: string, problem: Problem, options: AcmeFailureOptions = {}): AcmeFailure {
  const kind = typeof problem.type === 'string' ? problem.type.replace(URN, '') : 'unknown';
  const details = [problem, ...asList(problem.subproblems)].map(({ detail }) => shortened(detail)).filter(Boolean);
  return new AcmeFailure(kind, `${about}: ${details.join('; ') || kind}`, options);
}

function asList(value: unknown): readonly Problem[] {
  return Array.isArray(value) ? value.filter(isProblem) : [];
}

const LONGEST = 500;

/** The text of another system, for one line of the log. */
function shortened(detail: unknown): string {
  return typeof detail === 'string' ? detail.replaceAll(/\s+/g, ' ').slice(0, LONGEST) : '';
}
