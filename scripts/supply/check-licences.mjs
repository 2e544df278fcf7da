// `npm run check:licences`: all packages in the lock file have a licence that is allowed (licence-rules.mjs).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, root } from '../packages.cjs';
import { licenceProblems, lockedPackages } from './licences.mjs';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const problems = licenceProblems(lock, root);
for (const problem of problems) print(problem);
if (problems.length === 0) print(`${lockedPackages(lock).length} packages, all with a licence that is allowed`);
process.exitCode = problems.length === 0 ? 0 : 1;
