/**
 * The web interface as its clients use it: sign-ins and new applications per second, each next to the minimum cost in
 * the same run, then searches (bench:search) and events (bench:events). Build first, then `npm run bench:web`; with
 * `-- --write` all tables are written to docs/performance.md, `-- --only sign-ins` (or `search`, `events`) measures one
 * of them.
 */
import { parseArgs } from 'node:util';
import { benchEvents, eventsReport } from '../events/events.mjs';
import { measuredOn, table, writeReport } from '../report.mjs';
import { benchSearch, searchReport } from '../search/search.mjs';
import { Servers, signIn } from '../servers.mjs';
import { closedLoop } from './closed-loop.mjs';
import { checkPasswords } from './passwords.mjs';

const USERS = 200;
const CLIENTS = 16;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** The benchmark signs in more often than a user may. */
const NO_LIMITS = { SIGN_INS_PER_ACCOUNT: '1000000', SIGN_INS_PER_ADDRESS: '1000000', APPLICATIONS_PER_USER: '1000' };

const { values: wanted } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } });
const parts = {
  'sign-ins': { place: 'bench:web', report: async () => signInsReport(await benchSignIns()) },
  search: { place: 'bench:search', report: async () => searchReport(await benchSearch()) },
  events: { place: 'bench:events', report: async () => eventsReport(await benchEvents()) },
};
const chosen = Object.entries(parts).filter(([part]) => part === (wanted.only ?? part));
if (chosen.length === 0) throw new Error(`--only takes one of: ${Object.keys(parts).join(', ')}`);
for (const [, { place, report }] of chosen) {
  const text = await report();
  console.log(`${place}\n\n${text}`);
  if (wanted.write) writeReport(place, text);
}
process.exit(0);

async function benchSignIns() {
  const servers = new Servers();
  try {
    const users = Array.from({ length: USERS }, (_, n) => `user${n}@example.test`);
    const { auth, service } = await servers.start(users, NO_LIMITS);
    const bare = await servers.bare(new URL('bare-post.mjs', import.meta.url));
    log('signing in …');
    const signIns = await measure((n) => signIn(auth, users[n % USERS]));
    log('checking passwords, and nothing else …');
    const checks = await checkPasswords(SECONDS);
    const tokens = [];
    for (const user of users) tokens.push(await signIn(auth, user));
    log('creating applications …');
    const created = await measure((n) => createApplication(service.base, tokens[n % USERS], n));
    log('posting the same to a bare Fastify …');
    const posted = await measure((n) => createApplication(bare.base, tokens[n % USERS], n));
    return { signIns, checks, created, posted };
  } finally {
    await servers.stop();
  }
}

function measure(send) {
  return closedLoop(send, { clients: CLIENTS, seconds: SECONDS });
}

async function createApplication(base, token, n) {
  const response = await fetch(`${base}/uc/v1/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ culture: 'en-US', endpointId: `endpoint ${n}`, userAgent: 'bench' }),
  });
  await response.arrayBuffer();
  if (response.status !== 201) throw new Error(`no application: ${response.status}`);
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
