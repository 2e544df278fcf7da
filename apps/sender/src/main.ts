import { runProgram, sendAndReport, ProgressLine, type FeedSummary, type Program } from '@ringdown/feed-client/command';
import type { FeedsOptions } from '@ringdown/feed-client';
import { readSettings } from '@ringdown/settings';
import { readCommandLine, type GenerateCommand, type ReplayCommand } from './command-line.js';
import { generate } from './generate/generate.js';
import { GenerateProgress } from './generate/generate-progress.js';
import { noProgress } from './generate/play-progress.js';
import { formatProblem } from '@ringdown/call-capture/files';
import { findingsText } from './replay/findings-text.js';
import { ReplayProgress } from './replay/replay-progress.js';
import type { ReplaySummary } from './replay/replay-options.js';
import { replay } from './replay/replay.js';
import { hidingOption } from './run/hiding.js';
import { tracingOption } from './run/tracing.js';
import { run } from './run/run.js';
import { runSettings } from './run/run-settings.js';
import { readStatus, formatStatus } from './run/status.js';
import { hint, usage, version } from './usage.js';

const given = process.argv.slice(2);
const program: Program = { name: 'ringdown-sender', hint: hint(given[0]) };

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
    case 'replay':
      return sendAndReport<ReplaySummary>(program, {
        ...command,
        send: (options) => sendFiles(command, options),
        findings: findingsText,
        problems: ({ problems }) => problems.map((problem) => formatProblem(problem)),
      });
    default:
      return sendAndReport(program, { ...command, send: (options) => sendGenerated(command, options) });
  }
}

function progressLine({ json }: { readonly json: boolean }): ProgressLine | undefined {
  return json ? undefined : new ProgressLine(process.stderr);
}

function sendFiles(command: ReplayCommand, options: FeedsOptions): Promise<ReplaySummary> {
  const settings = readSettings(runSettings, process.env);
  const { frontEnd, outputSchema, legHeaders, callIdForm } = settings;
  const progress = new ReplayProgress(progressLine(command), command.jsonProgress ? process.stdout : undefined);
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

function sendGenerated(command: GenerateCommand, options: FeedsOptions): Promise<FeedSummary> {
  const line = progressLine(command);
  const progress = line ? new GenerateProgress(line, command.calls) : noProgress;
  return generate({ ...command, ...options, progress, endsAt: Date.now() });
}

await runProgram(program, () => main(given));
