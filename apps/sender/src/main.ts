import { readSettings, SettingsError } from '@ringdown/settings';
import {
  readCommandLine,
  USAGE,
  UsageError,
  type DemoCommand,
  type GenerateCommand,
  type ReplayCommand,
} from './command-line.js';
import { collectorAccess } from './delivery/collector-access.js';
import { runDemo } from './demo/demo.js';
import { NoCollector, type FeedsOptions } from './demo/feeds.js';
import { noProgress, WrittenProgress } from './demo/progress.js';
import { inWords, type FeedSummary } from './demo/summary.js';
import { generate } from './generate/generate.js';
import { GenerateProgress } from './generate/generate-progress.js';
import { givenAddress } from './given-address.js';
import { ProgressLine } from './progress-line.js';
import { problemInWords } from './replay/file-problems.js';
import { ReplayProgress } from './replay/replay-progress.js';
import { replay } from './replay/replay.js';
import { hidingOf } from './run/hiding.js';
import { run } from './run/run.js';
import { runSettings } from './run/run-settings.js';
import { readStatus, statusInWords } from './run/status.js';
import { senderSettings } from './settings.js';

const INTERRUPTED = 130;

async function main(): Promise<number> {
  const command = readCommandLine(process.argv.slice(2));
  switch (command.command) {
    case 'help':
      process.stdout.write(USAGE);
      return 0;
    case 'run':
      return run(command.to);
    case 'status': {
      const status = await readStatus();
      process.stdout.write(command.json ? `${JSON.stringify(status)}\n` : statusInWords(status));
      return 0;
    }
    case 'replay': {
      const settings = readSettings(runSettings, process.env);
      const { frontEnd, outputSchema: version } = settings;
      const { files, speed, json } = command;
      const progress = new ReplayProgress(json ? undefined : new ProgressLine(process.stderr));
      const options = { ...feedsOptions(command), ...hidingOf(settings), progress };
      const summary = await replay({ ...options, files, speed, frontEnd, version });
      const code = tell(command, summary);
      for (const problem of summary.problems) process.stderr.write(`ringdown-sender: ${problemInWords(problem)}\n`);
      return code === 0 && summary.problems.length > 0 ? 1 : code;
    }
    case 'demo': {
      const durationMs = command.durationSeconds * 1_000;
      const progress = command.json ? noProgress : new WrittenProgress(process.stderr);
      return tell(command, await runDemo({ ...command, ...feedsOptions(command), progress, durationMs }));
    }
    default: {
      const line = new ProgressLine(process.stderr);
      const progress = command.json ? noProgress : new GenerateProgress(line, command.calls);
      return tell(command, await generate({ ...command, ...feedsOptions(command), progress }));
    }
  }
}

interface MadeUpCalls extends FeedsOptions {
  readonly signal: AbortSignal;
  readonly endsAt: number;
}

function feedsOptions({ to }: DemoCommand | GenerateCommand | ReplayCommand): MadeUpCalls {
  const settings = readSettings(senderSettings, process.env);
  const { vendorProfile, resumeAfterSeconds } = settings;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return {
    ...collectorAccess(settings),
    address: givenAddress(to, vendorProfile),
    profile: vendorProfile,
    resumeAfterMs: resumeAfterSeconds * 1_000,
    signal: stop.signal,
    endsAt: Date.now(),
  };
}

function tell({ json }: { readonly json: boolean }, summary: FeedSummary): number {
  process.stdout.write(json ? `${JSON.stringify(summary)}\n` : inWords(summary));
  if (summary.interrupted) return INTERRUPTED;
  return summary.recordsFailed === 0 ? 0 : 1;
}

function complaint(error: unknown): { text: string; exitCode: number } {
  if (error instanceof UsageError) return { text: `${error.message}\n\n${USAGE}`, exitCode: 2 };
  if (error instanceof SettingsError) return { text: `${error.problems.join('\n')}\n`, exitCode: 2 };
  if (error instanceof NoCollector) {
    return { text: `${error.message}\nStart Ringdown with "npm start", or name a collector with --to.\n`, exitCode: 1 };
  }
  return { text: `${error instanceof Error ? error.message : String(error)}\n`, exitCode: 1 };
}

try {
  process.exitCode = await main();
} catch (error) {
  const { text, exitCode } = complaint(error);
  process.stderr.write(`ringdown-sender: ${text}`);
  process.exitCode = exitCode;
}
