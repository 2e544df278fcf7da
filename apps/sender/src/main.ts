import { errorReason } from '@ringdown/errors';
import { readSettings, SettingsError, UsageError } from '@ringdown/settings';
import { readCommandLine, type DemoCommand, type GenerateCommand, type ReplayCommand } from './command-line.js';
import { NoCollector, type FeedsOptions } from '@ringdown/feed-client';
import { collectorAccess, senderSettings } from '@ringdown/feed-client/settings';
import { runDemo } from './demo/demo.js';
import { noProgress as noDemoProgress, TextProgress } from './demo/demo-progress.js';
import { generate } from './generate/generate.js';
import { GenerateProgress } from './generate/generate-progress.js';
import { addressArgument } from './address-argument.js';
import { ProgressLine } from './progress-line.js';
import { formatProblem } from '@ringdown/call-capture/files';
import { ReplayProgress } from './replay/replay-progress.js';
import type { ReplaySummary } from './replay/replay-options.js';
import { replay } from './replay/replay.js';
import { hidingOption } from './run/hiding.js';
import { tracingOption } from './run/tracing.js';
import { run } from './run/run.js';
import { runSettings } from './run/run-settings.js';
import { readStatus, formatStatus } from './run/status.js';
import { noProgress } from './sending/play-progress.js';
import { formatSummary, NOTHING_SENT, type FeedSummary } from './sending/summary.js';
import { hint, usage, version } from './usage.js';

const INTERRUPTED = 130;
const DEFAULT_COLLECTOR = 'http://localhost:8080';

async function main(args: readonly string[]): Promise<number> {
  const command = readCommandLine(args);
  switch (command.command) {
    case 'help':
      process.stdout.write(usage(command.about));
      return 0;
    case 'version':
      process.stdout.write(`${version()}\n`);
      return 0;
    case 'run':
      return run(command.to);
    case 'status': {
      const status = await readStatus();
      process.stdout.write(command.json ? `${JSON.stringify(status)}\n` : formatStatus(status));
      return 0;
    }
    default:
      return sendAndReport(command);
  }
}

type SendingCommand = DemoCommand | GenerateCommand | ReplayCommand;

async function sendAndReport(command: SendingCommand): Promise<number> {
  const options = feedsOptions(command);
  try {
    const summary = await send(command, options);
    process.stdout.write(command.json ? `${JSON.stringify(summary)}\n` : formatSummary(summary));
    const problems = 'problems' in summary ? summary.problems : [];
    for (const problem of problems) process.stderr.write(`ringdown-sender: ${formatProblem(problem)}\n`);
    if (summary.interrupted) return INTERRUPTED;
    return summary.recordsFailed === 0 && problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoCollector)) throw error;
    const interrupted = options.signal.aborted;
    const summary: FeedSummary = { ...NOTHING_SENT, interrupted, error: error.message };
    if (command.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
    const isHint = !interrupted && command.to === DEFAULT_COLLECTOR;
    const start = isHint ? 'Start Ringdown with "npm start", or name a collector with --to.\n' : '';
    process.stderr.write(`ringdown-sender: ${error.message}\n${start}`);
    return interrupted ? INTERRUPTED : 1;
  }
}

function send(command: SendingCommand, options: SendOptions): Promise<FeedSummary | ReplaySummary> {
  const line = command.json ? undefined : new ProgressLine(process.stderr);
  switch (command.command) {
    case 'replay': {
      const settings = readSettings(runSettings, process.env);
      const { frontEnd, outputSchema, legHeaders, callIdForm } = settings;
      const progress = new ReplayProgress(line, command.jsonProgress ? process.stdout : undefined);
      return replay({
        ...options,
        ...hidingOption(settings),
        ...tracingOption(settings),
        ...command,
        progress,
        frontEnd,
        legHeaders,
        callIdForm,
        version: outputSchema,
      });
    }
    case 'demo': {
      const progress = line ? new TextProgress(process.stderr) : noDemoProgress;
      return runDemo({ ...command, ...options, progress, liveMs: command.durationSeconds * 1_000 });
    }
    default: {
      const progress = line ? new GenerateProgress(line, command.calls) : noProgress;
      return generate({ ...command, ...options, progress });
    }
  }
}

interface SendOptions extends FeedsOptions {
  readonly endsAt: number;
}

function feedsOptions({ to }: SendingCommand): SendOptions {
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
    endsAt: Date.now(),
  };
}

function commandFailure(error: unknown, args: readonly string[]): { text: string; exitCode: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n${hint(args[0])}`, exitCode: 2 };
  if (error instanceof SettingsError) return { text: `${error.problems.join('\n')}\n`, exitCode: 2 };
  return { text: `${errorReason(error)}\n`, exitCode: 1 };
}

const given = process.argv.slice(2);
try {
  process.exitCode = await main(given);
} catch (error) {
  const { text, exitCode } = commandFailure(error, given);
  process.stderr.write(`ringdown-sender: ${text}`);
  process.exitCode = exitCode;
}
