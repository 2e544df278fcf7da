// `npm run check:manifests`: what a workspace imports stands in its package.json and in the references of its
// tsconfig.json, and nothing else does. npm hoists, so a forgotten dependency works on every machine but in the images,
// which hold only what the manifests of the services name.
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const folders = new Map(
  globSync('{apps,libs,tests}/*/package.json', { cwd: root }).map((file) => [read(file).name, dirname(file)]),
);
const forTests = Object.keys(read('package.json').devDependencies);

/** `@scope/name/file` and `name/file` without the file. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Packages that the sources matching a pattern import, and quoted names: some are loaded by their name. */
function mentioned(folder, pattern, without) {
  const imported = new Set();
  const quoted = new Set();
  for (const file of globSync(pattern, { cwd: join(root, folder), exclude: (path) => without.test(path) })) {
    const source = readFileSync(join(root, folder, file), 'utf8');
    for (const [, name] of source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^'\s]+)'/g)) {
      if (!name.startsWith('.') && !name.startsWith('node:')) imported.add(packageOf(name));
    }
    for (const [, name] of source.matchAll(/'([^'\s]+)'/g)) quoted.add(packageOf(name));
  }
  return { imported: [...imported].filter((name) => !builtinModules.includes(name)), quoted };
}

/** Some packages want others beside them, whether we import those or not. */
function isWantedBy(name, declared) {
  return declared.some((other) => {
    if (other.startsWith('@ringdown/')) return false;
    const { peerDependencies = {}, peerDependenciesMeta = {} } = read(`node_modules/${other}/package.json`);
    return name in peerDependencies && !peerDependenciesMeta[name]?.optional;
  });
}

function problemsOf(folder) {
  const { name: own, dependencies = {}, devDependencies = {} } = read(`${folder}/package.json`);
  const program = mentioned(folder, 'src/**/*.ts', /\.spec\.ts$/);
  const tests = mentioned(folder, '{src/**/*.spec,test/**/*}.ts', /^$/);
  const declared = Object.keys(dependencies);
  const declaredForTests = Object.keys(devDependencies);
  const problems = [];

  const isUsed = (name, { quoted }) => quoted.has(name.replace(/^@types\//, ''));
  for (const name of program.imported) {
    if (!declared.includes(name)) problems.push(`${name} is imported but no dependency`);
  }
  for (const name of tests.imported) {
    if (![...declared, ...declaredForTests, ...forTests, own].includes(name)) {
      problems.push(`${name} is imported by tests but no dependency`);
    }
  }
  for (const name of declared) {
    if (isUsed(name, program) || isWantedBy(name, declared)) continue;
    problems.push(isUsed(name, tests) ? `${name} is a dependency of the tests alone` : `${name} is not used`);
  }
  for (const name of declaredForTests) {
    const typesOfProgram = name.startsWith('@types/') && isUsed(name, program);
    if (!typesOfProgram && !isUsed(name, tests)) problems.push(`${name} is not used by tests`);
  }

  const referenced = (read(`${folder}/tsconfig.json`).references ?? []).map(({ path }) => join(folder, path));
  const needed = [...declared, ...declaredForTests].flatMap((name) => folders.get(name) ?? []);
  for (const other of needed)
    if (!referenced.includes(other)) problems.push(`tsconfig.json has no reference to ${other}`);
  for (const other of referenced) if (!needed.includes(other)) problems.push(`tsconfig.json refers to ${other}`);
  return problems.map((problem) => `${folder}: ${problem}`);
}

const problems = [...folders.values()].flatMap(problemsOf);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
