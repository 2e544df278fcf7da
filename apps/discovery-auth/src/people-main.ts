import { text } from 'node:stream/consumers';
import { runPeopleCommand } from './people-command.js';

process.exitCode = await runPeopleCommand(process.argv.slice(2), {
  env: process.env,
  readInput: () => text(process.stdin),
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
});
