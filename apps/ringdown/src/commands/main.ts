import { runCommandLine } from './command-line.js';

// The one command of an installed package (scripts/package/ringdown.sh).
process.exitCode = await runCommandLine(process.argv.slice(2));
