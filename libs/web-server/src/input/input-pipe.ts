import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { nearestName } from '@ringdown/settings';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { Fault, MAX_REPORTED, rejectParameter, shownName, type WrongParameter } from '../errors.js';
import { parseJson } from './json-body.js';
import { readInstance } from './input-readers.js';
import { meetsRules } from './input-rules.js';
import { isRepeated } from './parameter-decorators.js';
import { ParameterSource } from './parameter-source.js';

type InputClass = new () => object;

/** The types that TypeScript emits for arguments that are not classes of ours. */
const NOT_INPUT: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Array, Buffer, Function]);

/**
 * The one place where input of clients becomes what handlers work with: an argument whose type is a class with class-validator
 * decorators is checked against it, and is an instance of it. Bound to every listener, for
 *
 * - `@Query() query: SomeQuery` and, of JSON, `@Body() body: SomeBody`: names exactly as declared, and no others;
 * - arguments of parameter decorators that give a {@link ParameterSource}, such as `QueryParameters`: the interface of the
 *   source compares names, and others are left out.
 *
 * Throws {@link Fault} `invalid-parameter` with the wrong parameters, at most {@link MAX_REPORTED}, or `unreadable-body`; the error
 * style of the interface turns them into rows of its error table.
 */
export class InputPipe implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (value instanceof ParameterSource) {
      const inputClass = inputClassOf(metatype);
      if (inputClass === undefined) throw new Error('the parameters of a request must have a class that declares them');
      return checked(inputClass, value.named([...decoratedProperties(inputClass)]), []);
    }
    const inputClass = data === undefined ? inputClassOf(metatype) : undefined;
    if (inputClass === undefined || (type !== 'query' && type !== 'body')) return value;
    const plain = type === 'query' ? value : parseJson(unparsedBody(value));
    if (!isObject(plain)) throw new Fault('unreadable-body', { message: 'The body must be a JSON object.' });
    return checked(inputClass, plain, undeclared(inputClass, plain));
  }
}

/** Undefined for types that are not classes of input, interfaces among them. */
function inputClassOf(metatype: ArgumentMetadata['metatype']): InputClass | undefined {
  return metatype === undefined || NOT_INPUT.has(metatype) ? undefined : metatype;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unparsedBody(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  throw new Error('the body was parsed before the pipe');
}

function checked(
  inputClass: InputClass,
  sent: Readonly<Record<string, unknown>>,
  undeclared: readonly WrongParameter[],
): object {
  const names = decoratedProperties(inputClass);
  for (const name of names) rejectConstructor(name, Object.hasOwn(sent, name) ? sent[name] : undefined);
  const instance = readInstance(inputClass, sent, names);
  const errors = meetsRules(inputClass, instance) ? [] : validateSync(instance, { stopAtFirstError: true });
  const parameters = [...errors.map(wrongParameter), ...undeclared].slice(0, MAX_REPORTED);
  if (parameters.length === 0) return instance;
  const message = parameters.map(({ reason }) => reason).join('; ');
  throw new Fault('invalid-parameter', { message, parameters });
}

/** No input has this name, and code that looks for the class of a value would call what has it. */
function rejectConstructor(name: string, value: unknown): void {
  if (hasConstructor(value)) rejectParameter(name, `${name} must not contain the name constructor`);
}

/** In the value or inside it; the depth of JSON is limited. */
function hasConstructor(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'constructor') || Object.values(value).some(hasConstructor);
}

/** The first ones, from the keys of the request: those that every object has (`constructor`, `__proto__`) count as well. */
function undeclared(inputClass: InputClass, plain: object): readonly WrongParameter[] {
  const names = decoratedProperties(inputClass);
  const wrong: WrongParameter[] = [];
  for (const name of Object.keys(plain)) {
    if (names.has(name)) continue;
    const shown = shownName(name);
    wrong.push({ name: shown, reason: unknownName(shown, names), code: 'unknown' });
    if (wrong.length === MAX_REPORTED) break;
  }
  return wrong;
}

function unknownName(name: string, known: ReadonlySet<string>): string {
  const meant = nearestName(name, known);
  return meant === undefined ? `there is no ${name}` : `there is no ${name}; did you mean ${meant}?`;
}

const knownNames = new WeakMap<InputClass, ReadonlySet<string>>();

/** The properties of a class that have a decorator of class-validator. */
function decoratedProperties(inputClass: InputClass): ReadonlySet<string> {
  const known = knownNames.get(inputClass);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(inputClass, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  knownNames.set(inputClass, names);
  return names;
}

/** By the rules of class-validator that others than {@link ReadAs} apply. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['isDefined', 'missing'],
  ['isIn', 'choice'],
]);

function wrongParameter(error: ValidationError): WrongParameter {
  const code = isRepeated(error.value) ? 'repeated' : validationCode(error);
  return { name: error.property, reason: firstReason(error), ...(code !== undefined && { code }) };
}

function validationCode({ constraints = {}, contexts }: ValidationError): string | undefined {
  const [rule = ''] = Object.keys(constraints);
  const context: unknown = contexts?.[rule];
  const code: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'code') : undefined;
  return typeof code === 'string' ? code : CODES.get(rule);
}

function firstReason(error: ValidationError): string {
  const own = Object.values(error.constraints ?? {})[0];
  const child = error.children?.[0];
  return own ?? (child === undefined ? `${error.property} is wrong` : firstReason(child));
}
