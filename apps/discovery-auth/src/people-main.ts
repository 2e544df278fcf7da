import { text } from 'node:stream/consumers';
import { runPeopleCommand } from './people-command/people-command.js';

process.exitCode = await runPeopleCommand(process.argv.slice(2), {
  env: process.env,
  readInput: () => text(process.stdin),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
