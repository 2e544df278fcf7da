// Sources of workspaces, which Node loads once for a worker: what their own variables keep from one test file to the next.
import { pathToFileURL } from 'node:url';
import { root } from '../../prepare.mjs';

/** Why it may stay, by source and variable. libs/testing/test/kept-sources.spec.ts finds what is missing here. */
export const KEPT = {
  'apps/aggregator/src/calls/feed-record.ts': { knownTimes: 'times by their texts' },
  'apps/aggregator/src/calls/parties/ip-address.ts': { lately: 'addresses by their texts' },
  'apps/aggregator/src/calls/streams/report-source.ts': { today: 'the text of a day by its number' },
  'apps/aggregator/src/search/sites/sites.ts': { NONE: 'never changes' },
  'apps/aggregator/src/store/database/asker.ts': { askers: 'ends with the call that has set it' },
  'apps/aggregator/src/store/database/columns.ts': { scratch: 'written before it is read' },
  'apps/aggregator/src/store/database/transaction.ts': { statementNumbers: 'numbers of statements by their texts' },
  'apps/aggregator/src/store/records/sealed-call.ts': { frames: 'contexts that begin a frame for each value' },
  'apps/aggregator/src/traces/packed-messages.ts': { frames: 'contexts that begin a frame for each value' },
  'libs/directory/src/ldap/ldap-reader.ts': { ANYTHING: 'never changes' },
  'libs/directory/src/ldap/reading-thread-main.ts': { changes: 'a thread', resume: 'a thread' },
  'libs/feed-bus/src/partition-backlog.ts': { lastMessages: 'by connection to a bus' },
  'libs/hypermedia/src/xml-document.ts': { builder: 'never changes' },
  'libs/nats/src/streams/position.ts': { recognised: 'by connection to a bus' },
  'libs/node-http/src/http-date.ts': { text: 'of the second that ends at `until`', until: 'belongs to `text`' },
  'libs/observability/src/logger.ts': { output: 'standard error of the process' },
  'libs/testing/src/servers/open-id-server.ts': { made: 'counts keys, so that each has a name of its own' },
  'libs/xml-schemas/src/xml/read-events.ts': { endpointReader: 'never changes' },
  'libs/xml-schemas/src/xml/read-feed-message.ts': { connectionReader: 'never changes' },
  'tests/conformance/src/xml.ts': { parser: 'never changes' },
};

/** The way back, with the exports of the module. */
const RESETS = {
  'apps/console/src/api/server-clock.ts': ({ serverClock }) => serverClock.learn(new Date().toUTCString()),
  'apps/console/src/captures/running-upload.ts': ({ cancelUpload, reportProblem }) => {
    cancelUpload();
    reportProblem(undefined);
  },
  'apps/console/src/parts/time/time-zone.ts': ({ applyTimeZone }) => applyTimeZone('local'),
};

export const RESET = Object.keys(RESETS);

const compiled = (source) => pathToFileURL(`${root}/${source.replace('/src/', '/dist/src/').replace(/\.ts$/, '.js')}`);
const workspaceOf = (source) => compiled(source).href.replace(/\/dist\/src\/.*/, '/');
const loaded = new Map();

/** Loads a source, with what has to be set back of its workspace. */
export async function loadSource(address) {
  for (const source of RESET)
    if (address.startsWith(workspaceOf(source))) loaded.set(source, await import(compiled(source).href));
  return import(address);
}

/** Undoes what a test file has changed. */
export function resetSources() {
  for (const [source, exports] of loaded) RESETS[source](exports);
}
