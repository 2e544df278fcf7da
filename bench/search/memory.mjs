// Reads the people and builds their index in a separate process; prints their memory use, in bytes.
import { directorySettings, openDirectory } from '@ringdown/directory';
import { createLogger, Health, Metrics } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { UpdatableIndex } from '../../apps/application-people/dist/src/search/updatable-index.js';
import { inSlices } from '../../apps/application-people/dist/src/search/sliced.js';

function inUse() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });
const context = { logger, metrics: new Metrics(), health: new Health() };
const before = inUse();
const directory = await openDirectory(readSettings(directorySettings, process.env), context);
const withPeople = inUse();
const started = performance.now();
const index = await inSlices(UpdatableIndex.of(directory.people.all));
const buildMs = performance.now() - started;
const withIndex = inUse();
// Keeps the index in use until here.
const { people } = index.search({ query: 'a' }, 1);
await directory.close();
const result = { people: withPeople - before, index: withIndex - withPeople, buildMs, found: people.length };
process.stdout.write(JSON.stringify(result));
