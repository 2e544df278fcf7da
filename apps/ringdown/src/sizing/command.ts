import { errorReason } from '@ringdown/errors';
import { ownCommand } from '@ringdown/settings';
import { parseArgs } from 'node:util';
import { inBytes, rounded } from './byte-words.js';
import { systemSize, type Load, type SystemSize } from './system-size.js';

export interface SizingIo {
  out(text: string): void;
  err(text: string): void;
}

interface Question {
  /** Left out: a number of `--calls-per-hour`. */
  readonly default?: number;
  readonly max: number;
  readonly about: string;
}

/** Options by the property of {@link Load}. */
const QUESTIONS = {
  callsPerHour: { max: 100_000_000, about: 'calls that begin in the busiest hour' },
  callsPerDay: { max: 2_400_000_000, about: 'calls of a day; if left out, eight times those of the busiest hour' },
  recordsPerCall: { default: 4, max: 3_000, about: 'records of a call: starts, updates, an end, reports of quality' },
  minutesPerCall: { default: 3, max: 10_000, about: 'minutes that a call lasts' },
  historyDays: { default: 90, max: 36_500, about: 'HISTORY_DAYS' },
  busHours: { default: 72, max: 8_760, about: 'RECORDS_MAX_AGE_HOURS' },
  capturePoints: { default: 0, max: 100, about: 'points that send the SIP messages of a call (TRACE=on); 0: none' },
  messagesPerCall: { default: 7, max: 10_000, about: 'SIP messages of a call at one of them' },
  traceDays: { default: 7, max: 36_500, about: 'TRACE_DAYS' },
  people: { default: 1_000, max: 10_000_000, about: 'people who can sign in or be found' },
  polls: { default: 0, max: 1_000_000, about: 'clients that wait for events at the same time' },
} as const satisfies Record<keyof Load, Question>;

const CALLS_PER_DAY = 8;

/** Prints what a system needs; returns the exit code. */
export function runSizingCommand(args: readonly string[], io: SizingIo): number {
  try {
    const load = readLoad(args);
    if (load === undefined) io.out(usage());
    else io.out(report(load, systemSize(load)));
    return 0;
  } catch (error) {
    const [reason = ''] = errorReason(error).split('\n');
    io.err(`sizing: ${reason}\n\n${usage()}`);
    return 2;
  }
}

function readLoad(args: readonly string[]): Load | undefined {
  const options = Object.fromEntries(
    Object.keys(QUESTIONS).map((name) => [optionOf(name), { type: 'string' as const }]),
  );
  const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } });
  if (values['help'] === true) return undefined;
  const given: Partial<Record<string, unknown>> = values;
  const read = (name: keyof Load, fallback?: number): number => {
    const { max, ...question }: Question = QUESTIONS[name];
    return parseNumberOption(optionOf(name), given[optionOf(name)], max, fallback ?? question.default);
  };
  const callsPerHour = read('callsPerHour');
  return {
    callsPerHour,
    callsPerDay: read('callsPerDay', callsPerHour * CALLS_PER_DAY),
    recordsPerCall: read('recordsPerCall'),
    minutesPerCall: read('minutesPerCall'),
    historyDays: read('historyDays'),
    busHours: read('busHours'),
    capturePoints: read('capturePoints'),
    messagesPerCall: read('messagesPerCall'),
    traceDays: read('traceDays'),
    people: read('people'),
    polls: read('polls'),
  };
}

function parseNumberOption(option: string, text: unknown, max: number, fallback: number | undefined): number {
  if (text === undefined && fallback !== undefined) return fallback;
  if (typeof text !== 'string') throw new Error(`--${option} is missing`);
  const value = /^\d{1,12}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(value <= max)) throw new Error(`--${option} must be a number from 0 to ${max}, not ${text.slice(0, 40)}`);
  return value;
}

/** `callsPerHour`: `calls-per-hour`. */
function optionOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function usage(): string {
  const lines = Object.entries<Question>(QUESTIONS).map(([name, { about, ...question }]) => {
    const byDefault = question.default === undefined ? '' : ` (${question.default})`;
    return `  --${optionOf(name).padEnd(18)} ${about}${byDefault}`;
  });
  return `Usage: ${ownCommand('sizing', '--calls-per-hour N [options]')}\n\n${lines.join('\n')}\n`;
}

function report(load: Load, size: SystemSize): string {
  const { disk, flow, memory, aggregators, collectors, systems } = size;
  const divided = [
    'systems',
    `${systems}: divide the front ends among them, each with a bus and a database; what follows is of one`,
  ] as const;
  const rows = [
    ...(systems > 1 ? [divided] : []),
    ['records in the busiest hour', `${rounded(size.recordsPerSecond)} a second`],
    ['calls in progress then', rounded(size.callsInProgress)],
    ['collectors', `COLLECTOR_REPLICAS=${collectors}`],
    ['aggregators', `AGGREGATOR_REPLICAS=${aggregators}`],
    ['partitions', `FEED_PARTITIONS=${size.partitions}`],
    ['cores, with PostgreSQL', rounded(size.cores)],
    [
      'disk of PostgreSQL, calls',
      `${inBytes(disk.calls)} for ${load.historyDays} days and the week that is deleted next`,
    ],
    [
      '… SIP messages',
      load.capturePoints === 0
        ? 'none'
        : `${inBytes(disk.messages)} for ${load.traceDays} days: TRACE_MAX_BYTES=${storageLimit(disk.messages, 2)}`,
    ],
    [
      'disk of the bus',
      `${inBytes(disk.bus)} for ${load.busHours} hours: RECORDS_MAX_BYTES=${storageLimit(disk.bus, 1)}`,
    ],
    ['the bus sends', `${inBytes(flow.bus)} a second to aggregators: each reads the whole feed`],
    ['PostgreSQL logs', `${inBytes(flow.log)} a second (WAL)`],
    ['memory of each collector', inBytes(memory.collector)],
    ['memory of each aggregator', inBytes(memory.aggregator)],
    ['memory of application-people', `${inBytes(memory.peopleService)}, all replicas together`],
  ] as const;
  return `${rows.map(([what, value]) => `${what.padEnd(30)} ${value}\n`).join('')}\n${NOTE}`;
}

const NOTE = `Records are those of version 1.0 (900 bytes); later versions and SDP need two to ten times the disk. Processes are used to half of what was
measured on 2 cores (docs/performance.md), and the network of the bus to half of 10 Gbit/s. PostgreSQL and the bus also need memory for what they keep in it; more is better.
`;

/** At least the default of the setting, in GiB. */
function storageLimit(needed: number, atLeast: number): number {
  return Math.max(Math.ceil(needed), atLeast * 1_024 ** 3);
}
