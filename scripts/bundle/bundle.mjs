// Bundles the compiled programs into `dist` of the root: a program then loads 60 files instead of 2,800 (docs/adr/0088).
import { globSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { isExternal, isOptional } from './external.mjs';
import { entryOf, ownFiles } from './own-files.mjs';
import { programs } from './programs.mjs';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'dist');
const CHUNKS = 'chunks';
/** A system that has started with the bundle of before may still load some of its chunks. */
const KEPT_MS = 3_600_000;

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
  plugins: [ownFiles(root)],
  onLog,
});
const { output } = await bundle.generate({
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Modules run in the order of their imports: decorators need reflect-metadata first.
  strictExecutionOrder: true,
  // Names of classes are in logs and messages.
  keepNames: true,
});
await bundle.close();

// Programs last: one that starts meanwhile finds all chunks that it names.
const isProgram = ({ fileName }) => fileName.replace(/\.js(\.map)?$/, '') in names;
for (const file of output.toSorted((a, b) => Number(isProgram(a)) - Number(isProgram(b)))) {
  write(join(out, file.fileName), file.type === 'chunk' ? file.code : file.source);
}
removeOld(new Set(output.map(({ fileName }) => join(out, fileName))));

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, content);
  renameSync(written, file);
}

/** Programs that are gone, and chunks that nothing uses any more. */
function removeOld(current) {
  for (const file of globSync('*/*.{js,map}', { cwd: out }).map((name) => join(out, name))) {
    const isUsed = file.startsWith(join(out, CHUNKS)) && Date.now() - statSync(file).mtimeMs < KEPT_MS;
    if (!isUsed && !current.has(file)) rmSync(file);
  }
}
