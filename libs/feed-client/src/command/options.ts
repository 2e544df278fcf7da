import { UsageError } from '@ringdown/settings';
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';

export const DEFAULT_COLLECTOR = 'http://localhost:8080';

/** What the table of options of `parseArgs` has for one with a value. */
export const textOption = (value: string): { readonly type: 'string'; readonly default: string } => ({
  type: 'string',
  default: value,
});
export const HELP_OPTION = { help: { type: 'boolean', short: 'h', default: false } } as const;
export const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** Options of a command that sends generated calls. */
export const FEED_OPTIONS = {
  ...HELP_OPTION,
  ...JSON_OPTION,
  to: textOption(DEFAULT_COLLECTOR),
  seed: textOption('1'),
  'front-ends': textOption('2'),
};
const LARGEST_SEED = 4_294_967_295;

export interface FeedOptions {
  readonly to: string;
  readonly seed: number;
  readonly frontEnds: number;
  /** Print the summary as one line of JSON, and no progress. */
  readonly json: boolean;
}

interface FeedValues {
  readonly to: string;
  readonly seed: string;
  readonly 'front-ends': string;
  readonly json: boolean;
}

export function feedOptions(values: FeedValues, maxFrontEnds: number): FeedOptions {
  return {
    to: values.to,
    seed: wholeNumber('seed', values.seed, 0, LARGEST_SEED),
    frontEnds: wholeNumber('front-ends', values['front-ends'], 1, maxFrontEnds),
    json: values.json,
  };
}

type OptionTable = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

type Parsed<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>
>;

/** Throws {@link UsageError}, as all below. */
export function parseArguments<O extends OptionTable>(args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // The first sentence names the option; the rest explains how to quote it for a shell.
    throw new UsageError(isNativeError(error) ? (error.message.split(/\.\s/, 1)[0] ?? '') : String(error));
  }
}

/** Of a command without positional arguments. */
export function parseOptions<O extends OptionTable>(args: readonly string[], options: O): Parsed<O>['values'] {
  const { values, positionals } = parseArguments(args, options);
  const [extra] = positionals;
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"`);
  return values;
}

export function wholeNumber(option: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < min || value > max) {
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}, not "${given}"`);
  }
  return value;
}

export function decimalNumber(option: string, given: string, max: number): number {
  const value = Number(given);
  if (!/^\d+(?:\.\d+)?$/.test(given) || value > max) {
    throw new UsageError(`--${option} must be a number from 0 to ${max}, not "${given}"`);
  }
  return value;
}
