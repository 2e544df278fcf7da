import { readSettings, SettingsError } from '@ringdown/settings';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { collectorAddress, type CollectorAddress } from './delivery/collector-address.js';
import { readCommandLine, USAGE, UsageError, type DemoCommand } from './command-line.js';
import { NoCollector, runDemo, type DemoSummary } from './demo/demo.js';
import { noProgress, WrittenProgress } from './demo/progress.js';
import { senderSettings } from './settings.js';

const INTERRUPTED = 130;

async function main(): Promise<number> {
  const command = readCommandLine(process.argv.slice(2));
  if (command.command === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  return demo(command);
}

async function demo({ to, durationSeconds, seed, frontEnds, json }: DemoCommand): Promise<number> {
  const { vendorProfile, resumeAfterSeconds } = readSettings(senderSettings, process.env);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const summary = await runDemo({
    address: addressOf(to, vendorProfile),
    seed,
    frontEnds,
    durationMs: durationSeconds * 1_000,
    profile: vendorProfile,
    resumeAfterMs: resumeAfterSeconds * 1_000,
    signal: stop.signal,
    progress: json ? noProgress : new WrittenProgress(process.stderr),
    endsAt: Date.now(),
  });
  process.stdout.write(json ? `${JSON.stringify(summary)}\n` : inWords(summary));
  if (summary.interrupted) return INTERRUPTED;
  return summary.recordsFailed === 0 ? 0 : 1;
}

function addressOf(to: string, profile: VendorProfile): CollectorAddress {
  try {
    return collectorAddress(to, profile);
  } catch (error) {
    throw new UsageError(`the address ${error instanceof Error ? error.message : String(error)}`);
  }
}

function inWords(summary: DemoSummary): string {
  const { calls, records, recordsAnswered, recordsFailed, frontEnds, seconds } = summary;
  const { recordsRefused, recordsNotTaken, recordsLost } = summary;
  const sent = `${records} records of ${calls} calls from ${frontEnds} front ends in ${seconds} s`;
  const fate =
    recordsFailed === 0
      ? 'all answered'
      : `${recordsAnswered} answered, ${recordsFailed} failed ` +
        `(${recordsRefused} refused, ${recordsNotTaken} not taken, ${recordsLost} lost)`;
  return `${sent}: ${fate}${summary.interrupted ? ', interrupted' : ''}\n`;
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
