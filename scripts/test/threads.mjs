// `npm run nx -- threads`: the integration tests of `npm test`: for each thread through the system the file that proves it. The rest is
// in `npm run test:all`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureTestBus, print, root } from '../prepare.mjs';
import { isProgramThere } from '../test-servers.mjs';
import { runServerTests } from './server-tests.mjs';

/** What each needs beside the bus, which is downloaded, is named when it is missing. */
const THREADS = [
  { thread: 'sign-in', file: 'apps/discovery-auth/dist/test/sign-in.spec.js' },
  { thread: 'people are found', file: 'apps/application-people/dist/test/people.spec.js' },
  { thread: 'a record becomes a call', file: 'apps/aggregator/dist/test/records-become-calls.spec.js' },
  { thread: 'a call is seen live', file: 'apps/aggregator/dist/test/live-stream.spec.js' },
  { thread: 'a lost end', file: 'apps/aggregator/dist/test/time-outs.spec.js' },
  { thread: 'killed and resumed, nothing lost', file: 'apps/aggregator/dist/test/faults/kills.spec.js' },
  { thread: 'a saved search', file: 'apps/aggregator/dist/test/saved-searches.spec.js' },
  { thread: 'an alert is delivered', file: 'apps/aggregator/dist/test/alert-delivery.spec.js' },
  { thread: 'hidden everywhere', file: 'apps/aggregator/dist/test/identities.spec.js' },
  { thread: 'a capture', file: 'apps/aggregator/dist/test/captures.spec.js' },
  { thread: 'captures with known right values', file: 'apps/ringdown/dist/test/capture-cases.spec.js' },
  { thread: 'start, status and stop', file: 'apps/ringdown/dist/test/status-and-stop.spec.js' },
  { thread: 'a view of the console', file: 'apps/console/dist/test/call.spec.js', program: 'chromium' },
  // What is written from something else is as current as that: no server is needed, and CI fails for each of them.
  { thread: 'the description of the API follows the types', file: 'libs/answers/dist/test/answer-schemas.spec.js' },
  { thread: 'tables of documents follow the rows', file: 'libs/call-catalogue/dist/test/documents.spec.js' },
  { thread: 'the description of the bus is whole', file: 'apps/ringdown/dist/test/asyncapi-document.spec.js' },
];

ensureInstalled();
ensureBuilt();
ensureTestBus();
const missing = THREADS.filter(({ program }) => program !== undefined && !isProgramThere(program));
for (const { thread, program } of missing) print(`left out, because there is no ${program} on the PATH: ${thread}`);
const files = THREADS.filter((thread) => !missing.includes(thread)).map(({ file }) => file);
for (const file of files)
  if (!existsSync(join(root, file))) throw new Error(`${file} is not there (scripts/test/threads.mjs)`);
await runServerTests('threads', { name: 'threads through the system', pattern: `/(${files.join('|')})$` });
