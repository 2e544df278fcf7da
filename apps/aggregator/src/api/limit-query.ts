import { InterfaceError } from '@ringdown/web-server';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryErrors } from '../errors.js';
import { all, Cursor } from './query-fields.js';

export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** Digits as a number. Anything else is left as it is, for the validators to refuse. */
export const Digits = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  );

const limitRange = { message: `limit must be a whole number from 1 to ${MAX_LIMIT}` };

/** How many at most. */
export const Limit = (): PropertyDecorator =>
  all(IsOptional(), Digits(), IsInt(limitRange), Min(1, limitRange), Max(MAX_LIMIT, limitRange));

/** Parameters of lists that are not filtered. */
export class LimitQuery {
  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of pages that are not filtered. */
export class PageQuery extends LimitQuery {
  @Cursor()
  cursor?: string;
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
