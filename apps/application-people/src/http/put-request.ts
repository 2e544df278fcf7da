import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { InterfaceError, rejectParameter, type ErrorRow } from '@ringdown/web-server/errors';
import { ParameterSource } from '@ringdown/web-server/input';
import { createHash } from 'node:crypto';
import { matchesEtag } from './etag.js';
import { requestParameters, type InputRequest } from './parameters.js';

/** The exact value of the property: scripts look for it (web-interface.md, section 9). */
const PASS_THIS = 'please pass this in a PUT request';

const preconditionRequired: ErrorRow = {
  status: 428,
  code: 'PreconditionRequired',
  message: 'A PUT needs the header If-Match with the etag of the resource.',
};
const preconditionFailed: ErrorRow = {
  status: 412,
  code: 'PreconditionFailed',
  message: 'The resource has changed; read it again.',
};

/**
 * The property that a resource shows and that a PUT of it has to contain: its name looks like a UUID and belongs to
 * this resource. `seed` distinguishes the resource from all others that accept a PUT.
 */
export function putToken(seed: string): Readonly<Record<string, string>> {
  return { [putName(seed)]: PASS_THIS };
}

export function putName(seed: string): string {
  const digest = createHash('sha256').update(seed).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Throws {@link InterfaceError} unless the client names the state of the resource that it changes, and `etag` is that
 * state.
 */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) throw new InterfaceError(preconditionRequired);
  if (!matchesEtag(ifMatch, etag)) throw new InterfaceError(preconditionFailed);
}

/** The parameters of a PUT, after a check that they contain the property of {@link putToken}. */
export class PutSource extends ParameterSource {
  constructor(
    private readonly parameters: ParameterSource,
    private readonly seed: string | undefined,
  ) {
    super();
  }

  override named(names: readonly string[]): Readonly<Record<string, unknown>> {
    if (this.seed === undefined) return this.parameters.named(names);
    const token = putName(this.seed);
    const { [token]: passed, ...named } = this.parameters.named([...names, token]);
    if (passed !== PASS_THIS) rejectParameter(token, `${token} must be "${PASS_THIS}"`);
    return named;
  }
}

/**
 * Computes the seed of a resource from the parameters of its path; undefined for one without PUT, which its handler
 * rejects.
 */
type SeedOf = (path: Readonly<Record<string, string>>) => string | undefined;

/** As `Parameters`, for a PUT; `seedOf` returns the seed of {@link putToken}. */
export const PutParameters = createParamDecorator((seedOf: SeedOf, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<InputRequest & { params: Readonly<Record<string, string>> }>();
  return new PutSource(requestParameters(request), seedOf(request.params));
});
