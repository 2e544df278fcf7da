import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { InterfaceError, type ErrorRow } from './errors.js';

const MAX_JSON_DEPTH = 32;

/** JSON of a request as plain data. Throws {@link InterfaceError} with `row`; an empty body is an empty object. */
export function parseJson(body: Buffer | undefined, row: ErrorRow): unknown {
  if (body === undefined || body.length === 0) return {};
  const text = body.toString('utf8');
  if (jsonDepth(text) > MAX_JSON_DEPTH) {
    throw new InterfaceError(row, { message: `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.` });
  }
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw new InterfaceError(row, { message: 'The name __proto__ is not taken.' });
      return value;
    });
  } catch (cause) {
    if (cause instanceof InterfaceError) throw cause;
    throw new InterfaceError(row, { message: 'The body is not JSON.', cause });
  }
}

/** Counted before parsing: what walks the parsed value later does so by recursion. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '{' || char === '[')) deepest = Math.max(deepest, ++depth);
    else if (!inString && (char === '}' || char === ']')) depth--;
  }
  return deepest;
}

export interface ValidateOptions {
  /** Whether properties that the class does not know are an error or are left out. */
  readonly unknown: 'refuse' | 'ignore';
}

/**
 * Checks plain data against a class with class-validator decorators and returns its instance.
 * Throws {@link InterfaceError} with `row` and the wrong parameters.
 */
export function validated<T extends object>(
  type: new () => T,
  input: unknown,
  row: ErrorRow,
  options: ValidateOptions,
): T {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new InterfaceError(row, { message: 'An object is expected.' });
  }
  const instance = plainToInstance(type, input);
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: options.unknown === 'refuse',
    forbidUnknownValues: true,
    stopAtFirstError: true,
  });
  const parameters = errors.map((error) => ({ name: error.property, reason: firstReason(error) }));
  if (options.unknown === 'refuse') parameters.push(...leftOut(input, instance));
  if (parameters.length === 0) return instance;
  const message = parameters.map(({ reason }) => reason).join('; ');
  throw new InterfaceError(row, { message, parameters });
}

/** Names that every object has (`constructor`, `toString`, `__proto__`) never reach the instance, nor the check of it. */
function leftOut(input: object, instance: object): { name: string; reason: string }[] {
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(instance, name))
    .map((name) => ({ name, reason: `property ${name} should not exist` }));
}

function firstReason(error: ValidationError): string {
  const own = Object.values(error.constraints ?? {})[0];
  const child = error.children?.[0];
  return own ?? (child === undefined ? `${error.property} is wrong` : firstReason(child));
}
