// `npm run check:manifests`: the imports of a workspace are in its package.json and in the references of its
// tsconfig.json, and nothing else is. npm hoists, so a missing dependency works on every machine but not in the images,
// which contain only the packages in the manifests of the services. It also checks the lock file.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { lockFileProblems } from './lock-file.mjs';
import { root } from '../prepare.mjs';

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const folders = new Map(
  globSync('{apps,libs,tests}/*/package.json', { cwd: root }).map((file) => [read(file).name, dirname(file)]),
);
const forTests = Object.keys(read('package.json').devDependencies);

/** `@scope/name/file` and `name/file` without the file. */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Packages that the matching sources import, and quoted names: some packages are loaded by their name. */
function mentioned(folder, pattern, without) {
  const imported = new Set();
  const quoted = new Set();
  for (const file of globSync(pattern, { cwd: join(root, folder), exclude: (path) => without.test(path) })) {
    const source = readFileSync(join(root, folder, file), 'utf8');
    for (const [, name] of source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([\w@./:-]+)'/g)) {
      if (!name.startsWith('.') && !name.startsWith('node:')) imported.add(packageOf(name));
    }
    for (const [, name] of source.matchAll(/'([\w@./:-]+)'/g)) quoted.add(packageOf(name));
  }
  return { imported: [...imported].filter((name) => !builtinModules.includes(name)), quoted };
}

/** Whether the package is a peer dependency of a declared one; then we need not import it. */
function isWantedBy(name, folder, declared) {
  return declared.some((other) => {
    const places = [join(folder, 'node_modules'), 'node_modules'].map((place) => join(place, other, 'package.json'));
    const manifest = places.find((place) => existsSync(join(root, place)));
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest === undefined ? {} : read(manifest);
    return name in peerDependencies && !peerDependenciesMeta[name]?.optional;
  });
}

/** Types are used if their package is. */
function isUsed(name, { quoted }) {
  return quoted.has(name.replace(/^@types\//, ''));
}

function undeclared({ own, program, tests, declared, declaredForTests }) {
  const allowedInTests = [...declared, ...declaredForTests, ...forTests, own];
  return [
    ...program.imported
      .filter((name) => !declared.includes(name))
      .map((name) => `${name} is imported but is not a dependency`),
    ...tests.imported
      .filter((name) => !allowedInTests.includes(name))
      .map((name) => `${name} is imported by tests but is not a dependency`),
  ];
}

function unused(folder, { program, tests, declared, declaredForTests }) {
  return [
    ...declared
      .filter((name) => !isUsed(name, program) && !isWantedBy(name, folder, declared))
      .map((name) => `${name} is ${isUsed(name, tests) ? 'a dependency of the tests alone' : 'not used'}`),
    ...declaredForTests
      .filter((name) => !isUsed(name, tests) && !(name.startsWith('@types/') && isUsed(name, program)))
      .map((name) => `${name} is not used by tests`),
  ];
}

function wrongReferences(folder, { declared, declaredForTests }) {
  const referenced = (read(`${folder}/tsconfig.json`).references ?? []).map(({ path }) => join(folder, path));
  const needed = [...declared, ...declaredForTests].flatMap((name) => folders.get(name) ?? []);
  return [
    ...needed.filter((other) => !referenced.includes(other)).map((other) => `tsconfig.json does not refer to ${other}`),
    ...referenced.filter((other) => !needed.includes(other)).map((other) => `tsconfig.json refers to ${other}`),
  ];
}

function isBundled(folder) {
  return existsSync(join(root, folder, 'vite.config.mjs'));
}

function problemsOf(folder) {
  const { name: own, dependencies = {}, devDependencies = {} } = read(`${folder}/package.json`);
  const workspace = {
    own,
    // Bundled packages are needed only for the build, not at run time.
    program: isBundled(folder) ? { imported: [], quoted: new Set() } : mentioned(folder, 'src/**/*.ts', /\.spec\.ts$/),
    tests: isBundled(folder)
      ? mentioned(folder, '{*.mjs,src/**/*.ts,src/**/*.tsx,test/**/*.ts}', /^$/)
      : mentioned(folder, '{src/**/*.spec,test/**/*}.ts', /^$/),
    declared: Object.keys(dependencies),
    declaredForTests: Object.keys(devDependencies),
  };
  const problems = [...undeclared(workspace), ...unused(folder, workspace), ...wrongReferences(folder, workspace)];
  return problems.map((problem) => `${folder}: ${problem}`);
}

const problems = [...folders.values()].flatMap(problemsOf).concat(lockFileProblems());
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
