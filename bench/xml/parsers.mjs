/**
 * The same record through different parsers, in one run, as ratios: absolute figures drift with the machine. Build
 * first (`npm run build`), then `npm run bench:xml`; with `-- --write` the table is written to docs/performance.md.
 */
import { readFileSync } from 'node:fs';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import { measuredOn, table, writeReport } from '../report.mjs';

const body = readFileSync(new URL('start-record.xml', import.meta.url));
const text = body.toString('utf8');
const json = JSON.stringify(readFeedMessage(body, defaultProfile));
const fastXmlParser = new XMLParser({ ignoreAttributes: false, parseTagValue: false, processEntities: false });

const readers = {
  'our reader (strict, typed)': () => readFeedMessage(body, defaultProfile),
  'saxes alone (events, no result)': () => new SaxesParser().write(text).close(),
  'fast-xml-parser': () => fastXmlParser.parse(text),
  'its validator + fast-xml-parser': () => XMLValidator.validate(text) === true && fastXmlParser.parse(text),
  'JSON.parse of the result': () => JSON.parse(json),
};

const ROUNDS = 5;
const ROUND_MS = 300;

/** Processor time of this process: other work on the machine affects it less than wall-clock time. */
function cpuMillis() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Records per second in one round. */
function measure(read) {
  const start = cpuMillis();
  let records = 0;
  while (cpuMillis() - start < ROUND_MS) {
    for (let i = 0; i < 50; i++) read();
    records += 50;
  }
  return (records * 1_000) / (cpuMillis() - start);
}

const best = new Map(Object.keys(readers).map((name) => [name, 0]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, read] of Object.entries(readers)) {
    const rate = measure(read);
    // The first round warms up.
    if (round > 0) best.set(name, Math.max(best.get(name), rate));
  }
}

const ours = [...best.values()][0];
const cells = [
  ['reader', 'records/s', 'MB/s', 'speed, ours = 1'],
  ...[...best].map(([reader, rate]) => {
    const megabytes = (rate * body.length) / 1e6;
    return [reader, Math.round(rate).toLocaleString('en'), megabytes.toFixed(1), (rate / ours).toFixed(2)];
  }),
];
const report = `One record of ${body.length.toLocaleString('en')} bytes; best of ${ROUNDS} rounds, by processor time of one core.
${measuredOn()}

${table(cells)}
`;
console.log(report);
if (process.argv.includes('--write')) writeReport('bench:xml', report);
