import { errorReason } from '@ringdown/errors';
import { ownCommand, readSettings, SettingsError, UsageError } from '@ringdown/settings';
import { collectorAccess } from '../collector-access.js';
import { NoCollector, type FeedsOptions } from '../feeds.js';
import { senderSettings } from '../settings.js';
import { addressArgument } from './address-argument.js';
import { DEFAULT_COLLECTOR } from './options.js';
import { formatSummary, NOTHING_SENT, type FeedSummary } from './summary.js';

const INTERRUPTED = 130;

export const EXIT_CODES = `Exit code: 0 if every record was answered, 1 if not or if there was nothing to send, 2 for a wrong command line or
setting, 130 if it was interrupted.
`;

/** The name of the program, in front of what it reports. */
export interface Program {
  readonly name: string;
  /** Points to the help after a wrong command line. */
  readonly hint: string;
}

export interface Sending<S extends FeedSummary> {
  readonly to: string;
  readonly json: boolean;
  send(options: FeedsOptions): Promise<S>;
  /** What the summary as text has beside the records. */
  findings?(summary: S): readonly string[];
  /** Lines after the summary; with any, the exit code is 1. */
  problems?(summary: S): readonly string[];
}

/** Sends to the collector as the settings of the environment say, until SIGINT or SIGTERM; prints the summary and returns the exit code. */
export async function sendAndReport<S extends FeedSummary>({ name }: Program, sending: Sending<S>): Promise<number> {
  const { to, json } = sending;
  const options = feedsOptions(to);
  try {
    const summary = await sending.send(options);
    process.stdout.write(json ? `${JSON.stringify(summary)}\n` : formatSummary(summary, sending.findings?.(summary)));
    const problems = sending.problems?.(summary) ?? [];
    for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`);
    if (summary.interrupted) return INTERRUPTED;
    return summary.recordsFailed === 0 && problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoCollector)) throw error;
    const interrupted = options.signal.aborted;
    const summary: FeedSummary = { ...NOTHING_SENT, interrupted, error: error.message };
    if (json) process.stdout.write(`${JSON.stringify(summary)}\n`);
    const isHint = !interrupted && to === DEFAULT_COLLECTOR;
    const start = isHint ? `Start Ringdown with "${ownCommand('start')}", or name a collector with --to.\n` : '';
    process.stderr.write(`${name}: ${error.message}\n${start}`);
    return interrupted ? INTERRUPTED : 1;
  }
}

function feedsOptions(to: string): FeedsOptions {
  const settings = readSettings(senderSettings, process.env);
  const { vendorProfile, resumeAfterSeconds } = settings;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    ...collectorAccess(settings),
    address: addressArgument(to, vendorProfile),
    profile: vendorProfile,
    resumeAfterMs: resumeAfterSeconds * 1_000,
    signal: stop.signal,
  };
}

/** Runs a program to its exit code; a failure is reported in a line or two. */
export async function runProgram({ name, hint }: Program, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const { text, exitCode } = programFailure(error, hint);
    process.stderr.write(`${name}: ${text}`);
    process.exitCode = exitCode;
  }
}

function programFailure(error: unknown, hint: string): { readonly text: string; readonly exitCode: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n${hint}`, exitCode: 2 };
  if (error instanceof SettingsError) return { text: `${error.problems.join('\n')}\n`, exitCode: 2 };
  return { text: `${errorReason(error)}\n`, exitCode: 1 };
}
