// Bundles the compiled programs into `dist` of the root: a program then loads 60 files instead of 2,800 (docs/adr/0088).
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { builtinModules, isStandIn } from './builtin-modules.mjs';
import { isExternal, isOptional } from './external.mjs';
import { LICENCES, licencesOf } from './licences.mjs';
import { entryOf, ownFiles } from './own-files.mjs';
import { programs } from './programs.mjs';
import { CHUNKS, replaceBundle } from './written-files.mjs';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist');

/** What is unknown to the bundler would be missing in the image; other words of it are about packages that we do not write. */
function onLog(_level, { code, message }) {
  if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
}

const names = programs(root);
const input = Object.fromEntries(Object.entries(names).map(([name, file]) => [name, entryOf(file)]));
const bundle = await rolldown({
  input,
  cwd: root,
  platform: 'node',
  external: (id) => isExternal(id) || isOptional(id),
  plugins: [ownFiles(root), builtinModules()],
  onLog,
});
const { output } = await bundle.generate({
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
  // Each would be a file of its own.
  codeSplitting: { groups: [{ name: 'node', test: isStandIn }] },
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Modules run in the order of their imports: decorators need reflect-metadata first.
  strictExecutionOrder: true,
  // Names of classes are in logs and messages.
  keepNames: true,
});
await bundle.close();

const isProgram = ({ fileName }) => fileName.replace(/\.js(\.map)?$/, '') in names;
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
replaceBundle(out, [
  { name: LICENCES, content: licencesOf(modules) },
  // Programs last.
  ...output
    .toSorted((a, b) => Number(isProgram(a)) - Number(isProgram(b)))
    .map((file) => ({ name: file.fileName, content: file.type === 'chunk' ? file.code : file.source })),
]);
