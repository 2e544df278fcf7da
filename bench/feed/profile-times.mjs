// Where the time of a profile goes: by function, and by the folder of its source.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const maps = new Map();

/** Returns `{ functions, groups }`: pairs of a name and the share of all samples, the largest first. Idle time is a group of its own. */
export function profileTimes({ nodes, samples, timeDeltas }) {
  const times = new Map();
  for (const [index, id] of samples.entries()) times.set(id, (times.get(id) ?? 0) + timeDeltas[index]);
  const all = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  const [functions, groups] = [new Map(), new Map()];
  for (const { id, callFrame } of nodes) {
    const time = (times.get(id) ?? 0) / all;
    if (time === 0) continue;
    const source = sourceOf(callFrame);
    add(functions, `${callFrame.functionName || '(anonymous)'} ${source}`, time);
    add(groups, groupOf(source, callFrame.functionName), time);
  }
  return { functions: sorted(functions), groups: sorted(groups) };
}

function add(map, key, value) {
  map.set(key, (map.get(key) ?? 0) + value);
}

function sorted(map) {
  return [...map].toSorted(([, one], [, other]) => other - one);
}

/** The file and line of a function, in the sources of a bundle. */
function sourceOf({ url, lineNumber, columnNumber }) {
  if (!url.startsWith('file:')) return url === '' ? '' : `${url}`;
  const file = fileURLToPath(url);
  const entry = mapOf(file)?.findEntry(lineNumber, columnNumber) ?? {};
  if (entry.originalSource === undefined) return `${file.replace(ROOT, '')}:${lineNumber + 1}`;
  const path = entry.originalSource.replace(/^(\.\.\/)+/, '').replace(/^file:\/\//, '');
  return `${path.replace(ROOT, '')}:${entry.originalLine + 1}`;
}

function mapOf(file) {
  if (!maps.has(file)) {
    const payload = existsSync(`${file}.map`) ? JSON.parse(readFileSync(`${file}.map`, 'utf8')) : undefined;
    maps.set(file, payload && new SourceMap(payload));
  }
  return maps.get(file);
}

/** A room of ours, a package, or a part of Node. */
function groupOf(source, name) {
  if (source === '') return name;
  const [, ours] = /^((?:apps|libs)\/[^/]+)\//.exec(source) ?? [];
  if (ours !== undefined && !source.includes('node_modules')) {
    const [, folder = ''] = /^apps\/[^/]+\/(?:dist\/)?src\/([^/]+)\//.exec(source) ?? [];
    return folder === '' ? ours : `${ours} ${folder}`;
  }
  const [, scope] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(source) ?? [];
  if (scope !== undefined) return scope;
  return source.startsWith('node:')
    ? `node ${source.split('/').slice(0, 2).join('/').split(':').slice(0, 2).join(':')}`
    : source;
}
