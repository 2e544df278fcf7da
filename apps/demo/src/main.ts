import { runProgram, sendAndReport, type Program } from '@ringdown/feed-client/command';
import { ownCommand } from '@ringdown/settings';
import { readCommandLine, USAGE } from './command-line.js';
import { writeSites } from './demo-sites.js';
import { noProgress, TextProgress } from './demo-progress.js';
import { runDemo } from './demo.js';

const program: Program = { name: 'ringdown-demo', hint: `see ${ownCommand('demo', '--help')}\n` };

async function main(args: readonly string[]): Promise<number> {
  const command = readCommandLine(args);
  if (command === undefined) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command.sitesFile !== undefined) writeSites(command.sitesFile);
  const progress = command.json ? noProgress : new TextProgress(process.stderr);
  const liveMs = command.durationSeconds * 1_000;
  return sendAndReport(program, {
    ...command,
    send: (options) => runDemo({ ...command, ...options, progress, liveMs }),
  });
}

await runProgram(program, () => main(process.argv.slice(2)));
