import { runSizingCommand } from './command.js';

process.exitCode = runSizingCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
