import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';
import { readBy } from './input-readers.js';

/** What a parameter has to be, as a stable code for clients that have their own words for it. */
export type ReadCode = 'choice' | 'time' | 'period' | 'number' | 'text' | 'words';

/** The value of a property that could not be read, until validation reports it. */
class Unread {
  constructor(readonly isRepeated: boolean) {}
}

/** Whether a parameter with a single value was given several times. */
export function isRepeated(value: unknown): boolean {
  return value instanceof Unread && value.isRepeated;
}

/**
 * A parameter that `read` converts to the value of the property; undefined means that it is invalid, and `what`
 * completes "x must be". A parameter that is left out, or null in JSON, is not read, and the property keeps the default
 * of its class: add `@IsDefined` if it is required.
 */
export function ReadAs(what: string, read: (value: unknown) => unknown, code?: ReadCode): PropertyDecorator {
  const validator = {
    validate: (value: unknown): boolean => !(value instanceof Unread),
    defaultMessage: (details?: ValidationArguments): string =>
      `${details?.property ?? ''} ${isRepeated(details?.value) ? 'is given more than once' : `must be ${what}`}`,
  };
  const rule = ValidateBy({ name: 'isRead', validator }, { context: { code } });
  const reader = readBy((value) => {
    if (value === undefined || value === null) return undefined;
    return read(value) ?? new Unread(false);
  });
  return stacked(rule, reader);
}

/** Like {@link ReadAs}, for a parameter with a single text. */
export function ReadText(what: string, read: (text: string) => unknown, code?: ReadCode): PropertyDecorator {
  return ReadAs(what, (value) => (typeof value === 'string' ? read(value) : new Unread(Array.isArray(value))), code);
}

/** Another name of the parameter, of an earlier release: it is read where the present one is left out. Stands above the other decorators. */
export function NamedBefore(old: string): PropertyDecorator {
  return (prototype, key) => {
    IsOptional()(prototype, old);
    readBy(() => undefined)(prototype, old);
    const either = readBy((value, sent) => value ?? (Object.hasOwn(sent, old) ? sent[old] : undefined), {
      always: true,
    });
    either(prototype, key);
  };
}

/** Takes the present form of a text that had another one in an earlier release. Stands above the other decorators. */
export const Renamed = (presentForm: (text: string) => string): PropertyDecorator =>
  readBy((value) => (typeof value === 'string' ? presentForm(value) : value));

/** Members that the server sets, and ignores in a body, so that a client may send back what it has read. */
export function SetByServer(...members: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const member of members) ReadAs('a value', (value) => value)(Object(prototype), member);
  };
}

/** A property that `read` makes of all that were sent, also if it was not sent itself. */
export const ReadFromAll = (read: (sent: Readonly<Record<string, unknown>>) => unknown): PropertyDecorator =>
  readBy((_value, sent) => read(sent), { always: true });

/** A number with at most nine digits. */
export function WholeNumber(least: number, most: number): PropertyDecorator {
  const read = (text: string): number | undefined => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  };
  return ReadText(`a whole number from ${least} to ${most}`, read, 'number');
}

/** Treats a text that `isAbsent` as absent. Place it above the decorator that reads the parameter. */
export const LeftOutIf = (isAbsent: (text: string) => boolean): PropertyDecorator =>
  readBy((value) => (typeof value === 'string' && isAbsent(value) ? undefined : value));

/** Uses the first value of a repeated parameter. Place it above the decorator that reads the parameter. */
export const FirstValue = (): PropertyDecorator =>
  readBy((value): unknown => (Array.isArray(value) ? value[0] : value));

/** Uses the last value of a repeated parameter: clients append to links. Place it above the decorator that reads it. */
export const LastValue = (): PropertyDecorator =>
  readBy((value): unknown => (Array.isArray(value) ? value.at(-1) : value));

/** Combines several decorators, applied as if written one above the other. */
export function stacked(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, key) => {
    for (const decorate of decorators.toReversed()) decorate(target, key);
  };
}
