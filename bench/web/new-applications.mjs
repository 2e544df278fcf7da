// New applications of many users, with the processor time that each of the processes takes for one of them.
import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { cpuSeconds, Servers, signIn } from '../servers.mjs';
import { closedLoop } from './closed-loop.mjs';

export const CLIENTS = 16;
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** So many that none of them starts more than a few applications: a user may have 20 at once (`APPLICATIONS_PER_USER`). */
export const USERS = Array.from({ length: 2_000 }, (_, n) => `user${n}@example.test`);
/** The benchmark signs in more often than a user may. */
export const NO_LIMITS = {
  SIGN_INS_PER_ACCOUNT: '1000000',
  SIGN_INS_PER_ADDRESS: '1000000',
  APPLICATIONS_PER_USER: '1000',
};
const WARM_UP_SECONDS = 2;
/** Accepts compressed responses as every client does, but does not decompress them: that would be no work of a server. */
const dispatcher = new Agent({ connections: CLIENTS });

/** Figures of the services of a checkout, which is built. */
export async function measureNewApplications(checkout) {
  const servers = new Servers(checkout);
  try {
    const { auth, service, natsPid } = await servers.start(USERS, NO_LIMITS);
    const tokens = await signInAll(auth);
    const pids = { service: service.pid, nats: natsPid, auth: auth.pid, client: process.pid };
    return await measurePosts(service.base, tokens, pids);
  } finally {
    await servers.stop();
  }
}

/** Their tokens. Two at a time: that is as fast as the hash allows on two cores. */
export async function signInAll(auth) {
  const tokens = [];
  const left = USERS.entries();
  const work = async () => {
    for (const [n, user] of left) tokens[n] = await signIn(auth, user);
  };
  await Promise.all([work(), work()]);
  return tokens;
}

/** Figures of Fastify alone. */
export async function measureBare() {
  const servers = new Servers();
  try {
    const { base, pid } = await servers.bare(new URL('bare-post.mjs', import.meta.url));
    return await measurePosts(base, ['none'], { service: pid, client: process.pid });
  } finally {
    await servers.stop();
  }
}

/** Figures of Fastify that stores an entry in NATS for each request. */
export async function measureBareStore() {
  const servers = new Servers();
  try {
    const { url, pid: natsPid } = await servers.startBus();
    const { base, pid } = await servers.bare(new URL('bare-store.mjs', import.meta.url), { NATS_URL: url });
    return await measurePosts(base, ['none'], { service: pid, nats: natsPid, client: process.pid });
  } finally {
    await servers.stop();
  }
}

export async function createApplication(base, token, n) {
  const { statusCode, body } = await request(`${base}/uc/v1/applications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    body: JSON.stringify({ culture: 'en-US', endpointId: `endpoint ${n}`, userAgent: 'bench' }),
    dispatcher,
  });
  await body.dump();
  if (statusCode !== 201) throw new Error(`no application: ${statusCode}`);
}

/** `cpuMs`: of each process for one POST, by its name in `pids`. */
async function measurePosts(base, tokens, pids) {
  const send = (n) => createApplication(base, tokens[n % tokens.length], n);
  await closedLoop(send, { clients: CLIENTS, seconds: WARM_UP_SECONDS, first: 0 });
  const used = () => Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)]);
  const [before, began] = [new Map(used()), performance.now()];
  const measured = await closedLoop(send, { clients: CLIENTS, seconds: SECONDS, first: 1_000_000 });
  const posts = (measured.perSecond * (performance.now() - began)) / 1_000;
  const cpuMs = Object.fromEntries(
    used().map(([name, seconds]) => [name, ((seconds - before.get(name)) * 1_000) / posts]),
  );
  return { ...measured, cpuMs };
}
