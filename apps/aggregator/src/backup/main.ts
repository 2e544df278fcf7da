import { runBackupCommand, runRestoreCommand } from './command.js';

// node main.js backup FOLDER, node main.js restore FOLDER: of servers that NATS_URL and DATABASE_URL name.
const [command, ...argv] = process.argv.slice(2);
const io = {
  env: process.env,
  out: (words: string) => void process.stdout.write(words),
  err: (words: string) => void process.stderr.write(words),
};
if (command === 'backup') process.exitCode = await runBackupCommand(argv, io);
else if (command === 'restore') process.exitCode = await runRestoreCommand(argv, io);
else {
  io.err('Usage: backup.js backup [FOLDER] | restore FOLDER [--replace | --check]\n');
  process.exitCode = 2;
}
