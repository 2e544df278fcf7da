/**
 * The web interface as its clients use it: sign-ins and new applications per second, each next to the minimum cost in
 * the same run, then searches (bench:search) and events (bench:events). Build first, then `npm run bench:web`; with
 * `-- --write` all tables are written to docs/performance.md, `-- --only sign-ins` (or `search`, `events`) measures one
 * of them.
 * `-- --only turns --before <folder>` compares new applications with another checkout that is built, in turns.
 */
import { parseArgs } from 'node:util';
import { benchEvents, eventsReport } from '../events/events.mjs';
import { measuredOn, table, writeReport } from '../report.mjs';
import { benchSearch, searchReport } from '../search/search.mjs';
import { Servers, signIn } from '../servers.mjs';
import { closedLoop } from './closed-loop.mjs';
import { CLIENTS, createApplication, NO_LIMITS, SECONDS, signInAll, USERS } from './new-applications.mjs';
import { checkPasswords } from './passwords.mjs';
import { turnsReport } from './turns.mjs';

const { values: wanted } = parseArgs({
  options: { write: { type: 'boolean' }, only: { type: 'string' }, before: { type: 'string' } },
});
const parts = {
  'sign-ins': { place: 'bench:web', report: async () => signInsReport(await benchSignIns()) },
  search: { place: 'bench:search', report: async () => searchReport(await benchSearch()) },
  events: { place: 'bench:events', report: async () => eventsReport(await benchEvents()) },
};
const turns = { place: 'bench:web turns', report: () => turnsReport(wanted.before) };
const chosen =
  wanted.only === 'turns'
    ? [['turns', turns]]
    : Object.entries(parts).filter(([part]) => part === (wanted.only ?? part));
if (chosen.length === 0) throw new Error(`--only takes one of: ${[...Object.keys(parts), 'turns'].join(', ')}`);
for (const [, { place, report }] of chosen) {
  const text = await report();
  console.log(`${place}\n\n${text}`);
  if (wanted.write) writeReport(place, text);
}
process.exit(0);

async function benchSignIns() {
  const servers = new Servers();
  try {
    const { auth, service } = await servers.start(USERS, NO_LIMITS);
    const bare = await servers.bare(new URL('bare-post.mjs', import.meta.url));
    log('signing in …');
    const signIns = await measure((n) => signIn(auth, USERS[n % USERS.length]));
    log('checking passwords, and nothing else …');
    const checks = await checkPasswords(SECONDS);
    const tokens = await signInAll(auth);
    log('creating applications …');
    const created = await measure((n) => createApplication(service.base, tokens[n % USERS.length], n));
    log('posting the same to a bare Fastify …');
    const posted = await measure((n) => createApplication(bare.base, tokens[n % USERS.length], n));
    return { signIns, checks, created, posted };
  } finally {
    await servers.stop();
  }
}

function measure(send) {
  return closedLoop(send, { clients: CLIENTS, seconds: SECONDS });
}

function signInsReport({ signIns, checks, created, posted }) {
  return `${CLIENTS} clients that ask again as soon as they are answered, for ${SECONDS} s each, on the machine that also serves them.
${measuredOn()}

${table([
  ['what', 'a second', 'p50, ms', 'p99, ms', 'of the least'],
  row('sign-ins', signIns, checks),
  row('argon2id checks of a password alone', checks, checks),
  row('new applications', created, posted),
  row('the same POST to a bare Fastify', posted, posted),
])}
`;
}

function row(name, { perSecond, p50, p99 }, least) {
  const share = (perSecond / least.perSecond).toFixed(2);
  return [name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), share];
}

function log(line) {
  process.stderr.write(`${line}\n`);
}
