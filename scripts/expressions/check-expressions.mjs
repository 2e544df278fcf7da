// `npm run check:expressions`: every regular expression of the source takes linear time (docs/adr/0035). recheck checks
// each one once; expressions/judged.json has the results, so that the check of all is quick. `--write` adds the new ones to it,
// `--all` checks all again.
// An argument names a folder instead of the source, `--exceptions` another file of exceptions.
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expressionsIn } from './find.mjs';
import { root, print } from '../prepare.mjs';

const SOURCES = ['{apps,libs}/*/src/**/*.{ts,tsx}', '{scripts,deploy}/**/*.{js,mjs,cjs,ts}', 'apps/*/*.mjs'];
const JUDGED = join(import.meta.dirname, 'judged.json');

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, all: { type: 'boolean' }, exceptions: { type: 'string' } },
});
const folder = positionals[0] === undefined ? root : resolve(positionals[0]);
const exceptionsFile = options.exceptions ?? join(import.meta.dirname, 'exceptions.mjs');
const { MADE_AT_RUN_TIME, QUADRATIC_CALLS, SUPER_LINEAR } = await import(pathToFileURL(resolve(exceptionsFile)).href);
const problems = [];
/** Expressions by `/source/flags`, each with its places in the source. */
const wanted = new Map();
const used = new Set();

function want(source, flags, place) {
  const key = `/${source}/${flags}`;
  const known = wanted.get(key);
  if (known) known.places.push(place);
  else wanted.set(key, { source, flags, places: [place] });
}

function read(file) {
  const isSame = (each) => (found) => each.file === file && each.code === found.code;
  const { expressions, calls } = expressionsIn(join(folder, file));
  for (const found of expressions) {
    const place = `${file}:${found.line}`;
    const exception = SUPER_LINEAR.find((each) => isSame(each)(found));
    const made = MADE_AT_RUN_TIME.find((each) => isSame(each)(found));
    used.add(exception).add(made);
    if (exception) continue;
    if (found.source !== undefined) want(found.source, found.flags, place);
    else if (made) want(...made.example, place);
    else problems.push(`${place}: ${found.code} is made at run time and not in MADE_AT_RUN_TIME`);
  }
  for (const found of calls) {
    const exception = QUADRATIC_CALLS.find((each) => isSame(each)(found));
    used.add(exception);
    if (!exception) problems.push(`${file}:${found.line}: ${found.code} takes quadratic time (see libs/linear-text)`);
  }
}

/** Checks them in parallel; resolves to those that are linear. */
async function judge(expressions) {
  const waiting = [...expressions];
  const linear = [];
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), waiting.length) }, () => judgeInTurn(waiting, linear)),
  );
  return linear;
}

async function judgeInTurn(waiting, linear) {
  const worker = new Worker(new URL('judge-worker.mjs', import.meta.url));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [key, { source, flags, places }] = next;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage({ source, flags });
    const [{ verdict, attack }] = await once(worker, 'message');
    if (verdict === 'linear') linear.push(key);
    else
      problems.push(`${places.join(', ')}: ${key} is not linear: ${verdict}${attack ? `, for example ${attack}` : ''}`);
  }
  await worker.terminate();
}

/** The missing fields of an exception: the bound of its input, and the reason to allow it. */
function missingIn(exception) {
  return ['bound', 'reason'].filter((field) => (exception[field] ?? '').trim().length < 5);
}

const begun = performance.now();
for (const exception of [...MADE_AT_RUN_TIME, ...SUPER_LINEAR, ...QUADRATIC_CALLS]) {
  const missing = missingIn(exception);
  if (missing.length > 0)
    problems.push(`${exception.file}: the exception ${exception.code} has no ${missing.join(' and no ')}`);
}
for (const file of globSync(SOURCES, {
  cwd: folder,
  exclude: (path) => /\.spec\.ts$|\/(?:dist|node_modules)\//.test(path),
}))
  read(file);
if (folder === root) {
  const unused = [...MADE_AT_RUN_TIME, ...SUPER_LINEAR, ...QUADRATIC_CALLS].filter((each) => !used.has(each));
  problems.push(...unused.map(({ file, code }) => `expressions/exceptions.mjs: ${file} no longer has ${code}`));
}
const judged = new Set(JSON.parse(readFileSync(JUDGED, 'utf8')));
const open = [...wanted].filter(([key]) => options.all || !judged.has(key));
// New ones of the source are judged once, by `--write`.
const isJudging = folder !== root || options.write || options.all;
if (!isJudging && open.length > 0)
  problems.push(
    `${open.length} expressions are not in expressions/judged.json: run npm run check:expressions -- --write`,
  );
const linear = isJudging ? await judge(open) : [];
if (options.write) {
  const kept = [...wanted.keys()].filter((key) => linear.includes(key) || (!options.all && judged.has(key)));
  writeFileSync(
    JUDGED,
    `${JSON.stringify(
      kept.toSorted((a, b) => (a < b ? -1 : 1)),
      null,
      2,
    )}\n`,
  );
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
print(
  `${wanted.size} regular expressions, ${isJudging ? open.length : 0} of them checked now, in ${seconds} s: ${problems.length} problems`,
);
process.exit(problems.length === 0 && wanted.size > 0 ? 0 : 1);
