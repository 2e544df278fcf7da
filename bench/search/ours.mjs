// Ringdown as deployed: bus, token service and application-people as separate processes, queried over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Servers, signIn } from '../servers.mjs';

const HERE = new URL('.', import.meta.url);
/** Sessions are used in turn: as many as one user may have. A user who types causes at most ten searches per second. */
const SESSIONS = 20;

/** The settings with which both services and the memory measurement read the people. */
export async function startOurs(directoryEnv) {
  const servers = new Servers();
  const stop = () => servers.stop();
  try {
    const { auth, service } = await servers.startWith(directoryEnv);
    return { engine: './ours.mjs', where: { auth: auth.base, people: service.base }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Heap and external memory of the people and their index, measured separately in a process that collects garbage. */
export async function memoryOfIndex(directoryEnv) {
  const script = fileURLToPath(new URL('memory.mjs', HERE));
  const options = { env: { ...process.env, ...directoryEnv }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn(process.execPath, ['--expose-gc', script], options);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the measurement of memory ended with ${code}`);
  return JSON.parse(output);
}

/** Signs in a user, and creates as many sessions as a user may have. */
export async function connect({ auth, people }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { authorization: `Bearer ${await signIn({ base: auth }, 'p1', 'password of p1')}` };
  const json = { ...headers, 'content-type': 'application/json' };
  const applications = [];
  for (let number = 0; number < SESSIONS; number++) {
    const wanted = JSON.stringify({ culture: 'en', endpointId: `bench ${number}`, userAgent: 'bench' });
    const answer = await send(agent, `${people}/uc/v1/applications`, { method: 'POST', headers: json }, wanted);
    applications.push(`${people}/uc/v1/applications/${JSON.parse(answer).id}`);
  }
  let next = 0;
  const search = async ({ text }) => {
    const path = `${applications[next++ % SESSIONS]}/people/search`;
    const answer = await send(agent, `${path}?query=${encodeURIComponent(text)}&limit=25`, { headers });
    const { _embedded: found, moreResultsAvailable: more } = JSON.parse(answer);
    return { found: found?.contact.length ?? 0, more };
  };
  return { search, close: () => agent.destroy() };
}

function send(agent, url, options, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, ...options }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk) => (text += chunk));
      incoming.on('end', () => {
        if (incoming.statusCode < 300) resolve(text);
        else reject(new Error(`${url} answered ${incoming.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
