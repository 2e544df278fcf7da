import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsIn, IsOptional, ValidateBy } from 'class-validator';
import { plausibleTime } from '../calls/feed-record.js';

const MAX_LIST = 50;

/** `a,b` as a list, as a repeated parameter is by itself. */
const CommaList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value));

/** One text that `isGood`; `what` completes "x must be". */
export const IsText = (what: string, isGood: (text: string) => boolean): PropertyDecorator =>
  ValidateBy({
    name: 'isText',
    validator: {
      validate: (value) => isText(value) && isGood(value),
      defaultMessage: (details) => `${details?.property ?? ''} must be ${what}`,
    },
  });

/** PostgreSQL has no such character in its texts, XML neither. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** An optional list of some of `values`. */
export const SomeOf = (name: string, values: readonly string[]): PropertyDecorator =>
  all(
    IsOptional(),
    CommaList(),
    IsIn([...values], { each: true, message: `${name} must be one or several of ${values.join(',')}` }),
  );

/** An optional list of whole numbers. */
export const Numbers = (): PropertyDecorator =>
  all(
    IsOptional(),
    CommaList(),
    ArrayMaxSize(MAX_LIST, { message: `$property must have ${MAX_LIST} numbers at most` }),
    ValidateBy({
      name: 'isNumbers',
      validator: {
        validate: (value) => Array.isArray(value) && value.every((each) => isText(each) && /^\d{1,9}$/.test(each)),
        defaultMessage: (details) => `${details?.property ?? ''} must be one or several whole numbers`,
      },
    }),
  );

/** An optional time. */
export const Moment = (): PropertyDecorator =>
  all(
    IsOptional(),
    IsText(
      'one ISO 8601 time after 1970 like 2026-03-02T10:00:00Z (write + as %2B)',
      (text) => plausibleTime(text) !== undefined,
    ),
  );

/** An optional text of at most `length` characters. */
export const ShortText = (
  what: string,
  length: number,
  isGood: (text: string) => boolean = () => true,
): PropertyDecorator =>
  all(
    IsOptional(),
    IsText(what, (text) => text.trim() !== '' && text.length <= length && isGood(text)),
  );

/** The `next` of a page before. */
export const Cursor = (): PropertyDecorator => ShortText('the `next` of a page', 4_096);

export function momentOf(text: string | undefined): Date | undefined {
  const at = plausibleTime(text);
  return at === undefined ? undefined : new Date(at);
}

/** Several decorators as one. */
export function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators.toReversed()) decorate(target, key);
  };
}
