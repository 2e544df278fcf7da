import { runMigrateCommand } from './command.js';

process.exitCode = await runMigrateCommand(process.argv.slice(2), {
  env: process.env,
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
});
