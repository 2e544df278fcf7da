// Whether all packages of a lock file have a licence that is allowed (licence-rules.mjs), and say the same in their own manifests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALLOWED, ALLOWED_IN_DEVELOPMENT, NAMED_ELSEWHERE } from './licence-rules.mjs';

const FOR_ALL = new Set(ALLOWED);
const FOR_TOOLS = new Set([...ALLOWED, ...ALLOWED_IN_DEVELOPMENT.map(({ licence }) => licence)]);

/** Packages of others in a lock file: `place` is their folder, `name` that of an alias's package. */
export function lockedPackages(lock) {
  return Object.entries(lock.packages)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, entry]) => ({ place, name: entry.name ?? place.split('node_modules/').at(-1), ...entry }));
}

/** One line for each package that must not be used as it is. `root`: where its packages are installed, as far as they are. */
export function licenceProblems(lock, root) {
  const packages = lockedPackages(lock);
  const there = new Set(packages.map(({ name }) => name));
  const unused = NAMED_ELSEWHERE.filter(({ name }) => !there.has(name));
  return [
    ...packages.flatMap((each) => problemsOf(each, root).map((problem) => `${each.name} ${each.version}: ${problem}`)),
    ...unused.map(({ name }) => `${name} is in the list of exceptions and not in the lock file: remove it there`),
  ];
}

/** Whether an expression of SPDX is allowed: a licence, one of `(A OR B)`, all of `A AND B`. Others are not known here. */
export function isAllowed(expression, { development = false } = {}) {
  const allowed = development ? FOR_TOOLS : FOR_ALL;
  const inner = expression.startsWith('(') && expression.endsWith(')') ? expression.slice(1, -1) : expression;
  if (inner.includes(' AND ')) return inner.split(' AND ').every((licence) => allowed.has(licence));
  return inner.split(' OR ').some((licence) => allowed.has(licence));
}

function problemsOf({ place, name, license, dev }, root) {
  const folder = join(root, place);
  const manifest = join(folder, 'package.json');
  // Programs for other systems are not installed here.
  const own = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).license : license;
  if (own !== license) return [`the lock file says ${license ?? 'no licence'}, and its package.json ${own ?? 'none'}`];
  if (license === undefined) return namedElsewhere(name, folder);
  if (isAllowed(license, { development: dev })) return [];
  const where = dev ? '' : ' in what is distributed';
  return [`its licence ${license} is not allowed${where} (scripts/supply/licence-rules.mjs)`];
}

function namedElsewhere(name, folder) {
  const exception = NAMED_ELSEWHERE.find((row) => row.name === name);
  if (exception === undefined) return ['it has no licence; if it has a text of one, add it to licence-rules.mjs'];
  if (!existsSync(folder)) return [];
  const file = join(folder, exception.file);
  if (existsSync(file) && readFileSync(file, 'utf8').includes(exception.text)) return [];
  return [`its ${exception.file} is no longer that of ${exception.licence} (licence-rules.mjs)`];
}
