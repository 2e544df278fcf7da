// A command that counts as one test: `check.mjs NAME COMMAND [ARGUMENTS]`, for the targets lint-all, format, manifests, licences and expressions.
import { ensureInstalled } from '../prepare.mjs';
import { runKind } from './tally.mjs';

const [name, command, ...args] = process.argv.slice(2);
ensureInstalled();

await runKind(name, (tally) => tally.check(name, command, args));
