// Writes what the bundler has made, also under a system that runs.
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export const CHUNKS = 'chunks';
/** A system that has started with the bundle of before may still load some of its chunks. */
const KEPT_MS = 3_600_000;
/** The names of the files of the last bundle. */
const LAST = '.bundled';

/** Names, below `out`, and contents of all files; programs come last: one that starts meanwhile finds all chunks that it names. */
export function replaceBundle(out, files) {
  mkdirSync(out, { recursive: true });
  const current = new Set(files.map(({ name }) => name));
  keepReplaced(out, current);
  for (const { name, content } of files) write(join(out, name), content);
  write(join(out, LAST), JSON.stringify([...current]));
  removeOld(out, current);
}

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, content);
  renameSync(written, file);
}

/** The hour of a chunk begins when it is replaced, not when it was written. */
function keepReplaced(out, current) {
  const list = join(out, LAST);
  const last = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : filesIn(out);
  const now = new Date();
  for (const name of last) {
    if (!current.has(name) && existsSync(join(out, name))) utimesSync(join(out, name), now, now);
  }
}

function filesIn(out) {
  return globSync('*/*', { cwd: out }).map((name) => name.replaceAll('\\', '/'));
}

/** Programs that are gone, chunks that nothing uses any more, and what a build that was killed has left. */
function removeOld(out, current) {
  for (const name of filesIn(out).filter((file) => !current.has(file))) {
    const isProgram = !name.startsWith(`${CHUNKS}/`) && /\.js(?:\.map)?$/.test(name);
    if (isProgram || Date.now() - statSync(join(out, name)).mtimeMs > KEPT_MS) rmSync(join(out, name));
  }
}
