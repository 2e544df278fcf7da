// Plugin of the bundler for our own compiled files.
import { readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { compiledFiles, isProgram, programName } from './programs.mjs';

/** Programs and chunks are in folders of `dist`: this is the way from there to the root. */
const TO_ROOT = '../..';
const ENTRY = '\0program:';
const MAP = '//# sourceMappingURL=';

/**
 * Files that a module names by its own place (`new URL('../passwords/common.txt', import.meta.url)`) are found where they
 * were; a program that it names is the bundled one. Source maps lead to the sources, not to what the compiler made of them.
 */
export function ownFiles(root) {
  const own = new Set(compiledFiles(root));
  return {
    name: 'own-files',
    resolveId: (id) => (id.startsWith(ENTRY) ? id : null),
    load: {
      filter: { id: [/[\\/]dist[\\/]src[\\/]/, /^\0program:/] },
      handler(id) {
        if (id.startsWith(ENTRY)) return entry(root, id.slice(ENTRY.length));
        const file = relative(root, id).split(sep).join('/');
        if (!own.has(file)) return null;
        const code = readFileSync(id, 'utf8');
        const end = code.lastIndexOf(MAP);
        return { code: withPlaces(end < 0 ? code : code.slice(0, end), file), map: readFileSync(`${id}.map`, 'utf8') };
      },
    },
  };
}

/** What the bundler is given for a program of that compiled file, from the root: first stack traces, for errors in what follows. */
export function entryOf(file) {
  return `${ENTRY}${file}`;
}

function entry(root, file) {
  const from = (path) => JSON.stringify(join(root, path));
  return `import { nameSourcesInStacks } from ${from('libs/errors/dist/src/source-positions.js')};
nameSourcesInStacks();
await import(${from(file)});`;
}

const BEGIN = "new URL('";
const END = "', import.meta.url)";

/** Throws for a use of `import.meta` that it does not know. */
function withPlaces(code, file) {
  const here = `${TO_ROOT}/${file}`;
  const [first = '', ...others] = code.split(BEGIN);
  const known = others.map((text) => {
    const end = text.indexOf(END);
    const path = text.slice(0, Math.max(end, 0));
    if (path === '' || path.includes("'")) return `${BEGIN}${text}`;
    return `new URL('${placeOf(posix.join(posix.dirname(file), path))}', ${PLACE}.url)${text.slice(end + END.length)}`;
  });
  const placed = `${first}${known.join('')}`
    .replaceAll('import.meta.dirname', `(${PLACE}.dirname + '/${posix.dirname(here)}')`)
    .replaceAll('createRequire(import.meta.url)', `createRequire(new URL('${here}', ${PLACE}.url))`);
  if (placed.includes('import.meta')) throw new Error(`scripts/bundle does not know this use of import.meta: ${file}`);
  return placed.replaceAll(PLACE, 'import.meta');
}

/** Stands for `import.meta` where it is right already. */
const PLACE = '\0meta';

function placeOf(named) {
  return isProgram(named) ? `../${programName(named)}.js` : `${TO_ROOT}/${named}`;
}
