import { InterfaceError } from '@ringdown/http-server';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryErrors } from '../errors.js';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** Digits as a number. Anything else is left as it is, for the validators to refuse. */
export const Digits = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

export const limitRange = { message: `limit must be a whole number from 1 to ${MAX_LIMIT}` };

/** Parameters of lists that have no pages. */
export class LimitQuery {
  @IsOptional()
  @Digits()
  @IsInt(limitRange)
  @Min(1, limitRange)
  @Max(MAX_LIMIT, limitRange)
  limit = DEFAULT_LIMIT;
}

/** For routes without parameters. Throws an {@link InterfaceError} that names those that were given. */
export function noParameters(query: unknown): void {
  const names = Object.keys(typeof query === 'object' && query !== null ? query : {});
  if (names.length === 0) return;
  const parameters = names.map((name) => ({ name, reason: `property ${name} should not exist` }));
  throw new InterfaceError(queryErrors.badParameter, {
    message: parameters.map(({ reason }) => reason).join('; '),
    parameters,
  });
}
